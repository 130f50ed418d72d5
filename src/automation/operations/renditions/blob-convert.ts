import { convertInput } from '../../blobs/convert-input.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const blobConvert = operation({
  id: 'Blob.Convert',
  label: 'Convert to given mime-type',
  category: 'Conversion',
  description:
    'Returns the input files, or the main files of the input documents, as files of another media type.',
  needsPrograms: true,
  example: { files: { 'notes.txt': 'Some notes.' }, params: { mimeType: 'text/html' } },
  takes: ['documents', 'bloblist'],
  needs: 'Read',
  isOneForOne: true,
  gives: 'bloblist',
  params: { mimeType: text.required('The media type, such as text/plain, application/pdf or image/png.') },
  run: (context, input, { mimeType }) =>
    convertInput(context, input, { type: mimeType }, { names: { type: 'mimeType' } }),
});
