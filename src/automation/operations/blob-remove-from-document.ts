import { updateDocument } from '../../store/update-document.ts';
import { blobParams, blobPlace } from '../blob-place.ts';
import { operation } from '../operation.ts';

/** The end of an xpath that leads to an item of a list. */
const index = /(?:\/\d+|\[\d+\])$/;

/** Fewer files in the input. */
export const blobRemoveFromDocument = operation({
  id: 'Blob.RemoveFromDocument',
  aliases: ['Blob.Remove'],
  label: 'Remove File',
  category: 'Files',
  description:
    'Takes a file, a list of them, or an item of such a list out of the input document, and answers it.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: blobParams,
  run: async (context, document, { xpath }) => {
    blobPlace(context.model, xpath.replace(index, ''));
    return updateDocument(context, document, { properties: { [xpath]: null } });
  },
});
