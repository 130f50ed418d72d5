import { zipOfBlobs } from '../../../loaders/renditions/archive.ts';
import { operation } from '../../operation.ts';
import { shortText } from '../../params/kinds.ts';

export const blobCreateZip = operation({
  id: 'Blob.CreateZip',
  label: 'Zip',
  category: 'Conversion',
  description: 'Returns an archive of the input blobs, by their names.',
  example: {
    files: { 'notes.txt': 'Some notes.', 'more.txt': 'More of them.' },
    params: { filename: 'notes.zip' },
  },
  takes: ['bloblist'],
  gives: 'blob',
  params: {
    filename: shortText.withDefault('', 'The name of the archive; of the first blob when it is empty.'),
  },
  run: (context, blobs, { filename }) => zipOfBlobs(context, blobs, filename),
});
