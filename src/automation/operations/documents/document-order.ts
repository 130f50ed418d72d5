import { orderDocument } from '../../../store/documents/order.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { documentMutation } from '../../operation.ts';
import { reference } from '../../params/kinds.ts';

export const documentOrder = documentMutation({
  id: 'Document.Order',
  label: 'Order Document',
  description: 'Moves the input document before another one of its folder, or last, and returns it.',
  example: {
    before: [
      {
        call: 'Document.Create',
        input: '/default-domain/workspaces',
        params: { type: 'OrderedFolder', name: 'chapters' },
        gives: { chapters: 'uid' },
      },
      {
        call: 'Document.Create',
        input: '{chapters}',
        params: { type: 'Note', name: 'first' },
        gives: { first: 'uid' },
      },
      {
        call: 'Document.Create',
        input: '{chapters}',
        params: { type: 'Note', name: 'second' },
        gives: { second: 'uid' },
      },
    ],
    input: '{second}',
    params: { before: '{first}' },
  },
  params: { before: reference.optional('The document that follows it; without one it is the last.') },
  locks: ({ before }) => ({
    withFolders: true,
    additional: before === undefined ? [] : [referenceTo(before)],
  }),
  run: async (context, document, { before }) =>
    orderDocument(context, document, before === undefined ? null : referenceTo(before)),
});
