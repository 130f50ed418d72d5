import { updateDocument } from '../../../store/documents/update-document.ts';
import { blobParams, blobSlot } from '../../blobs/slot.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { blob } from '../../params/kinds.ts';

export const documentSetBlob = documentMutation({
  id: 'Document.SetBlob',
  aliases: ['Blob.Set'],
  label: 'Set File',
  needs: 'WriteProperties',
  category: 'Files',
  description:
    'Stores a file in a property of the input document, or appends it to a list, and returns the document.',
  example: {
    before: [newLetter],
    input: '{letter}',
    params: { file: { name: 'notes.txt', content: 'Some notes.' } },
  },
  params: {
    file: blob.required('The file: an object with upload-batch and upload-fileId, content, or data.'),
    ...blobParams,
  },
  run: async (context, document, { file, xpath }) => {
    const { kind, field } = blobSlot(context.services.model, xpath);
    const item = field === undefined ? file : { [field]: file };
    const change = { [xpath]: kind === 'list' ? [item] : item };
    const listChanges = kind === 'list' ? { listChanges: { [xpath]: 'append' as const } } : {};
    return updateDocument(context, document, { properties: change, ...listChanges });
  },
});
