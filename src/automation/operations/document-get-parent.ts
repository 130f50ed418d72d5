import type { Context } from '../../context.ts';
import type { DocumentRow } from '../../loaders/document-row.ts';
import { documentAt } from '../document-at.ts';
import { text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** The nearest ancestor of a type. @throws Forbidden when one on the way may not be read. */
async function nearest(
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

/** What the input is in. */
export const documentGetParent = operation({
  id: 'Document.GetParent',
  label: 'Get Parent',
  category: 'Document',
  description: 'Answers the folder of the input document, or its nearest ancestor of a type.',
  kind: 'query',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: { type: optional(text, 'The type of the ancestor.') },
  run: async (context, document, { type }) => nearest(context, await documentAt(context, document), type),
});
