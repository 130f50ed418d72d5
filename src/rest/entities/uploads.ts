import { constant, Field, type Selection } from '../../selection.ts';

/** Of a file in chunks alone. */
const chunks: Selection = {
  uploadedChunkIds: new Field({
    name: 'chunks',
    show: (ids) => ((ids as unknown[]).length > 0 ? ids : undefined),
  }),
  chunkCount: new Field({ show: (count) => count ?? undefined }),
};

const uploadedFile: Selection = { name: true, size: true, uploadType: true, ...chunks };

/** §4.7: what is told of uploads, the same for every request. */
export const uploadEntities = {
  newBatch: { batchId: new Field({ name: 'id' }) },
  batch: {
    provider: constant('default'),
    fileEntries: new Field({ name: 'files', of: uploadedFile }),
    batchId: new Field({ name: 'id' }),
  },
  batchFiles: { files: uploadedFile },
  uploadedFile,
  /** What came just now. */
  received: {
    uploaded: constant('true'),
    batchId: true,
    fileIdx: new Field({ name: 'index' }),
    uploadType: true,
    uploadedSize: new Field({ name: 'size' }),
    ...chunks,
  },
  uploadHandler: { name: true },
  uploadHandlers: { handlers: { name: true } },
} satisfies Record<string, Selection>;
