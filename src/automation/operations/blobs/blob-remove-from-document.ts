import { updateDocument } from '../../../store/documents/update-document.ts';
import { blobParams, blobSlot } from '../../blobs/slot.ts';
import { letterWithFile } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';

/** Matches the index of a list item at the end of an xpath. */
const index = /(?:\/\d+|\[\d+\])$/;

export const blobRemoveFromDocument = documentMutation({
  id: 'Blob.RemoveFromDocument',
  aliases: ['Blob.Remove'],
  label: 'Remove File',
  needs: 'WriteProperties',
  category: 'Files',
  description:
    'Removes a file, a list of files or an item of such a list from the input document, and returns the document.',
  example: {
    before: letterWithFile,
    input: '{letter}',
    params: { xpath: 'file:content' },
  },
  params: blobParams,
  run: async (context, document, { xpath }) => {
    blobSlot(context.services.model, xpath.replace(index, ''));
    return updateDocument(context, document, { properties: { [xpath]: null } });
  },
});
