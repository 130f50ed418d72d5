import { deleteDocument, deleteDocuments } from '../../store/delete-document.ts';
import { operation } from '../operation.ts';

/** The end of the input. */
export const documentDelete = operation({
  id: 'Document.Delete',
  label: 'Delete',
  category: 'Document',
  description: 'Deletes the input document, or all documents of a list, with everything below, for good.',
  kind: 'mutation',
  takes: ['document', 'documents'],
  gives: 'void',
  params: {},
  run: async (context, input) => {
    if ('length' in input) await deleteDocuments(context, input);
    else await deleteDocument(context, input);
    return null;
  },
});
