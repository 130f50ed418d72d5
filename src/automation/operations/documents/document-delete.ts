import { deleteDocument, deleteDocuments } from '../../../store/documents/delete-document.ts';
import { newLetter } from '../../call-example.ts';
import { operation } from '../../operation.ts';

export const documentDelete = operation({
  id: 'Document.Delete',
  label: 'Delete',
  description: 'Permanently deletes the input document, or all documents of a list, with their descendants.',
  example: { before: [newLetter], input: '{letter}' },
  kind: 'mutation',
  takes: ['document', 'documents'],
  gives: 'void',
  run: async (context, input) => {
    if ('length' in input) await deleteDocuments(context, input);
    else await deleteDocument(context, input);
    return null;
  },
});
