import { zipOfBlobs } from '../../../loaders/renditions/archive.ts';
import { operation } from '../../operation.ts';
import { shortText } from '../../params/kinds.ts';

export const blobCreateZip = operation({
  id: 'Blob.CreateZip',
  label: 'Zip',
  category: 'Conversion',
  description: 'Returns a ZIP archive of the input files.',
  example: {
    files: { 'notes.txt': 'Some notes.', 'more.txt': 'More of them.' },
    params: { filename: 'notes.zip' },
  },
  takes: ['bloblist'],
  gives: 'blob',
  params: {
    filename: shortText.withDefault('', 'The name of the archive; defaults to the name of the first file.'),
  },
  run: (context, blobs, { filename }) => zipOfBlobs(context, blobs, filename),
});
