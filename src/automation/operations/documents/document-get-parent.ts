import type { Context } from '../../../loaders/context.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { documentAt } from '../../documents/document-at.ts';
import { documentQuery } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

/**
 * Returns the nearest ancestor that satisfies the condition.
 * @throws Forbidden if the caller cannot read one of the ancestors in between
 */
async function nearestAncestor(
  { load }: Context,
  row: DocumentRow,
  type: string | undefined,
): Promise<DocumentRow | null> {
  const ids = type === undefined ? row.ancestorIds.slice(-1) : row.ancestorIds;
  for (const ancestor of (await load.documentById.loadMany(ids)).reverse()) {
    if (ancestor instanceof Error) throw ancestor;
    if (ancestor && (type === undefined || ancestor.type === type)) return ancestor;
  }
  return null;
}

export const documentGetParent = documentQuery({
  id: 'Document.GetParent',
  label: 'Get Parent',
  description: 'Returns the folder of the input document, or its nearest ancestor of the given type.',
  example: { input: '/default-domain/workspaces/report' },
  params: { type: text.optional('The type of the ancestor.') },
  run: async (context, document, { type }) =>
    nearestAncestor(context, await documentAt(context, document), type),
});
