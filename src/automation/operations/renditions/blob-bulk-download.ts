import { Invalid } from '../../../errors.ts';
import { zipOfBlobs } from '../../../loaders/renditions/archive.ts';
import { blobAt } from '../../../model/values/document-blob.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { shortText } from '../../params/kinds.ts';

export const blobBulkDownload = operation({
  id: 'Blob.BulkDownload',
  label: 'Bulk Download',
  category: 'Files',
  description:
    'Returns an archive of the main files of the input documents. Documents without a file are skipped.',
  example: {
    input: ['/default-domain/workspaces/report', '/default-domain/workspaces/picture'],
    params: { filename: 'both.zip' },
  },
  takes: ['documents'],
  needs: 'Read',
  gives: 'blob',
  params: {
    filename: shortText.withDefault('', 'The name of the archive; defaults to the name of the first file.'),
  },
  run: async (context, documents, { filename }) => {
    const rows = await Promise.all(documents.map((reference) => documentAt(context, reference)));
    const blobs = [...new Set(rows)].flatMap((row) => blobAt(context.services.model, row, '') ?? []);
    if (blobs.length === 0) throw new Invalid('None of the documents has a main file.');
    return zipOfBlobs(context, blobs, filename);
  },
});
