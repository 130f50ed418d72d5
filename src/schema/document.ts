import type { Context } from '../context.ts';
import { NotFound } from '../errors.ts';
import { asSeen } from '../loaders/access.ts';
import { changeToken, type DocumentRow } from '../loaders/document-row.ts';
import { readableOf } from '../loaders/documents.ts';
import { readPage } from '../pages/page.ts';
import { createDocument } from '../store/create-document.ts';
import { deleteDocument } from '../store/delete-document.ts';
import { addressOf } from '../store/lock-document.ts';
import { updateDocument } from '../store/update-document.ts';
import { Blob, blobOf } from './blob.ts';
import { builder, Document, DocumentList, Documents } from './builder.ts';
import { asObject } from './input.ts';
import { Page, pageArguments, pageCost } from './page.ts';
import { properties, schemasOf } from './properties.ts';

const SchemaReference = builder.objectRef<{ name: string; prefix: string }>('SchemaReference').implement({
  description: 'A schema of a document.',
  fields: (t) => ({ name: t.exposeString('name'), prefix: t.exposeString('prefix') }),
});

Documents.implement({
  description: 'A page of documents.',
  interfaces: [Page],
  fields: (t) => ({
    entries: t.field({
      type: [Document],
      complexity: { multiplier: 1 }, // the page's size is in the field that answers it
      resolve: ({ entries }) => [...entries],
    }),
  }),
});

DocumentList.implement({
  description: 'Documents that are no page of a longer list.',
  fields: (t) => ({
    entries: t.field({
      type: [Document],
      complexity: { multiplier: 1 }, // their number is in the field that answers them
      resolve: ({ entries }) => [...entries],
    }),
    resultsCount: t.int({
      description: 'How many there are, of which these may be only the first.',
      resolve: ({ entries, resultsCount }) => resultsCount ?? entries.length,
    }),
  }),
});

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Both tokens: a proxy changes with the version that it shows. */
async function tokenOfProxy(row: DocumentRow, targetId: string, { load }: Context): Promise<string> {
  const target = await load.tokensById.load(targetId);
  return target ? `${changeToken(row)}/${changeToken(target)}` : changeToken(row);
}

Document.implement({
  description: 'A content document: a folder, a file, a note, whatever its type.',
  fields: (t) => ({
    repository: t.exposeString('repository'),
    uid: t.exposeID('id'),
    name: t.exposeString('name'),
    path: t.exposeString('path'),
    type: t.exposeString('type'),
    state: t.exposeString('state', { description: 'Where it is in its life cycle.' }),
    parentRef: t.exposeID('parentId', { nullable: true }),
    isCheckedOut: t.exposeBoolean('isCheckedOut'),
    isVersion: t.exposeBoolean('isVersion'),
    isProxy: t.exposeBoolean('isProxy'),
    isTrashed: t.exposeBoolean('isTrashed'),
    lockOwner: t.exposeString('lockOwner', { nullable: true, description: 'Who alone may write it.' }),
    lockCreated: t.string({
      nullable: true,
      description: 'Since when.',
      resolve: ({ lockCreated }) => lockCreated?.toISOString(),
    }),
    isRecord: t.boolean({ description: 'Retention is not served: never.', resolve: () => false }),
    retainUntil: t.string({ nullable: true, resolve: () => null }),
    hasLegalHold: t.boolean({ resolve: () => false }),
    isUnderRetentionOrLegalHold: t.boolean({ resolve: () => false }),
    changeToken: t.string({
      description: 'Of a proxy: its own, then that of the version that it shows.',
      resolve: (row, _, context) =>
        row.targetId ? tokenOfProxy(row, row.targetId, context) : changeToken(row),
    }),
    title: t.string({ resolve: (row) => text(row.properties['dc:title']) ?? row.name }),
    lastModified: t.string({ nullable: true, resolve: (row) => text(row.properties['dc:modified']) }),
    facets: t.stringList({
      resolve: ({ type, facets, isVersion, isProxy }, _, { model }) => {
        const common = model.types.get(type)?.facets ?? [];
        const all = facets.length > 0 ? [...new Set([...common, ...facets])] : [...common];
        return isVersion || isProxy ? [...all, 'Immutable'] : all;
      },
    }),
    schemas: t.field({ type: [SchemaReference], resolve: (row, _, context) => [...schemasOf(row, context)] }),
    properties: t.field({
      type: 'JSON',
      description: 'By xpath; of all schemas, or of those named.',
      args: {
        schemas: t.arg.stringList(),
        fetch: t.arg.stringList({
          description: 'Xpaths whose one value is a list, when the contract wants it so.',
        }),
      },
      resolve: properties,
    }),
    blob: t.field({
      type: Blob,
      args: { xpath: t.arg.string({ defaultValue: '' }) },
      resolve: (row, { xpath }, { model }) => blobOf(model, row, xpath ?? ''),
    }),
    children: t.field({
      type: Documents,
      description: 'What is directly below, without what is hidden, trashed or a version; by title.',
      args: pageArguments,
      complexity: pageCost,
      resolve: async (row, args, { load }) => {
        const page = readPage(args);
        const { rows, total } = await load.children(row, page);
        return { ...page, total, entries: rows };
      },
    }),
  }),
});

builder.queryField('document', (t) =>
  t.field({
    type: Document,
    description: 'A document by its id or by its path.',
    args: { id: t.arg.id(), path: t.arg.string() },
    resolve: async (_, args, { load }) => {
      const { by, value } = addressOf(args);
      const found = await (by === 'id' ? load.documentById : load.documentByPath).load(value);
      if (!found) throw new NotFound(value);
      return found;
    },
  }),
);

builder.queryField('documents', (t) =>
  t.field({
    type: [Document],
    nullable: { list: false, items: true },
    description: 'Documents by their ids, null for each that there is not or that the caller may not read.',
    args: { ids: t.arg.idList({ required: true }) },
    complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(1, ids.length) }),
    resolve: async (_, { ids }, { load }) => {
      const found = new Map((await readableOf(load.documentById, ids)).map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    },
  }),
);

const NewDocument = builder.inputType('NewDocument', {
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its segment of the path.' }),
    type: t.string({ required: true }),
    properties: t.field({ type: 'JSON', description: 'By xpath.' }),
  }),
});

const DocumentChange = builder.inputType('DocumentChange', {
  fields: (t) => ({
    uid: t.id({ description: 'When given, must be that of the addressed document.' }),
    changeToken: t.string({ description: 'When given, the state that the change is based on.' }),
    properties: t.field({ type: 'JSON', description: 'By xpath; what is absent stays, null clears.' }),
  }),
});

const ifMatch = "Change tokens, one of which must be the document's.";

builder.mutationFields((t) => ({
  createDocument: t.field({
    type: Document,
    args: {
      parentId: t.arg.id(),
      parentPath: t.arg.string(),
      document: t.arg({ type: NewDocument, required: true }),
    },
    resolve: async (_, { parentId, parentPath, document }, context) => {
      const parent = { id: parentId, path: parentPath };
      const properties = asObject(document.properties);
      const { versioning } = context.options;
      const made = await createDocument(context, parent, { ...document, properties, versioning });
      return asSeen(context.load.access, made);
    },
  }),
  updateDocument: t.field({
    type: Document,
    args: {
      id: t.arg.id(),
      path: t.arg.string(),
      document: t.arg({ type: DocumentChange, required: true }),
      ifMatch: t.arg.stringList({ description: ifMatch }),
    },
    resolve: async (_, { id, path, document, ifMatch: tokens }, context) => {
      const { versioning } = context.options;
      const change = { ...document, properties: asObject(document.properties), versioning };
      return asSeen(context.load.access, await updateDocument(context, { id, path }, change, tokens));
    },
  }),
  deleteDocument: t.id({
    description: 'Deletes a document and all below it for good; answers its id.',
    args: { id: t.arg.id(), path: t.arg.string(), ifMatch: t.arg.stringList({ description: ifMatch }) },
    resolve: (_, { id, path, ifMatch: tokens }, context) => deleteDocument(context, { id, path }, tokens),
  }),
}));
