import { orderDocument } from '../../../store/documents/order.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { documentMutation } from '../../operation.ts';
import { reference } from '../../params/kinds.ts';

export const documentOrder = documentMutation({
  id: 'Document.Order',
  label: 'Order Document',
  description:
    'Moves the input document before another document in its folder, or to the end, and returns it.',
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
  params: {
    before: reference.optional('The document that is to follow it; if absent, it becomes the last one.'),
  },
  locks: ({ before }) => ({
    withFolders: true,
    additional: before === undefined ? [] : [referenceTo(before)],
  }),
  run: async (context, document, { before }) =>
    orderDocument(context, document, before === undefined ? null : referenceTo(before)),
});
