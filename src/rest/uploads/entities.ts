import { constant, Field, type Selection } from '../../selection/selection.ts';

/** Fields that only files sent in chunks have. */
const chunks: Selection = {
  uploadedChunkIds: new Field({
    name: 'chunks',
    format: (ids) => ((ids as unknown[]).length > 0 ? ids : undefined),
  }),
  chunkCount: new Field({ format: (count) => count ?? undefined }),
};

const uploadedFile: Selection = { name: true, size: true, uploadType: true, ...chunks };

/** The entities for uploads (§4.7). No header changes their form. */
export const uploadEntities = {
  newBatch: { batchId: new Field({ name: 'id' }) },
  batch: {
    provider: constant('default'),
    fileEntries: new Field({ name: 'files', of: uploadedFile }),
    batchId: new Field({ name: 'id' }),
  },
  batchFiles: { files: uploadedFile },
  uploadedFile,
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
