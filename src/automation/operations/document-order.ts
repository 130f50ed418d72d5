import { orderDocument } from '../../store/order.ts';
import { referenceTo } from '../document-at.ts';
import { reference } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** Another place among the children of its folder. */
export const documentOrder = operation({
  id: 'Document.Order',
  label: 'Order Document',
  category: 'Document',
  description: 'Puts the input document before another one of its folder, or last, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: { before: optional(reference, 'The document that comes next; none is last.') },
  holds: ({ before }) => ({
    withFolders: true,
    besides: before === undefined ? [] : [referenceTo(before)],
  }),
  run: async (context, document, { before }) =>
    orderDocument(context, document, before === undefined ? null : referenceTo(before)),
});
