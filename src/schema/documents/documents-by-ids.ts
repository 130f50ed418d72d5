import { DocumentNotFound, Invalid } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder, DocumentList } from '../../graphql/builder.ts';
import { redactUnreadable } from '../../loaders/acls/access.ts';
import { deleteDocuments } from '../../store/documents/delete-document.ts';
import { updateDocuments } from '../../store/documents/update-document.ts';
import { DocumentChangeInput } from './document.ts';

const maxDocuments = 1000;

/**
 * Removes repeated ids, preserving the order.
 * @throws Invalid if there are no ids, or too many
 */
function distinct(ids: readonly string[]): string[] {
  const found = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (found.length === 0 || found.length > maxDocuments)
    throw new Invalid(`id must contain between 1 and ${maxDocuments} ids; got ${found.length}.`);
  return found;
}

const cost = ({ ids }: { readonly ids: readonly string[] }) => ({
  field: 1,
  multiplier: Math.max(1, ids.length),
});

builder.queryFields((t) => ({
  documentList: t.field({
    type: DocumentList,
    nullable: true,
    description: 'Documents by their ids. The caller must have Read permission on all of them.',
    args: { ids: t.arg.idList({ required: true }) },
    complexity: cost,
    resolve: async (_, { ids }, { load }) => ({
      entries: await Promise.all(
        distinct(ids).map(async (id) => {
          const row = await load.documentById.load(id);
          if (!row) throw new DocumentNotFound(id);
          return row;
        }),
      ),
    }),
  }),
}));

builder.mutationFields((t) => ({
  updateDocuments: t.field({
    type: DocumentList,
    description:
      'Changes the same properties of several documents. If one fails, none is changed. Only `properties` is used.',
    args: {
      ids: t.arg.idList({ required: true }),
      document: t.arg({ type: DocumentChangeInput, required: true }),
    },
    complexity: cost,
    resolve: async (_, { ids, document }, context) => {
      const references = distinct(ids).map((id) => ({ id }));
      const { versioning } = context.options;
      const rows = await updateDocuments(context, references, {
        properties: asObject(document.properties),
        versioning,
      });
      return { entries: await Promise.all(rows.map((row) => redactUnreadable(context.load.access, row))) };
    },
  }),
  deleteDocuments: t.idList({
    description:
      'Permanently deletes several documents with their descendants, and returns their ids. If one fails, none is deleted.',
    args: { ids: t.arg.idList({ required: true }) },
    complexity: cost,
    resolve: async (_, { ids }, context) => {
      const distinctIds = distinct(ids);
      await deleteDocuments(
        context,
        distinctIds.map((id) => ({ id })),
      );
      return distinctIds;
    },
  }),
}));
