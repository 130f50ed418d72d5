import { call, input } from '../../selection/selection.ts';
import { singleBlobBody } from '../documents/bodies.ts';
import { del, get, post, postWithoutBody, type Route } from '../route.ts';

const batch = { batch: input('address.batch') };
const file = { ...batch, file: input('address.file') };

interface Shown {
  readonly uploadedChunkIds?: readonly number[];
  readonly chunkCount?: number;
}

const whileIncomplete: Route['alternative'] = {
  status: 202,
  description: 'Chunks of the file are missing.',
  when: (shown) => {
    const { uploadedChunkIds = [], chunkCount = 0 } = shown as Shown;
    return uploadedChunkIds.length < chunkCount;
  },
};

/** §4.7: the routes for upload batches, which collect files for documents and operations. */
export const uploadRoutes: readonly Route[] = [
  postWithoutBody('/upload', (show) => ({ beginUpload: call({}, show.newBatch) }), {
    name: 'beginUpload',
    summary: 'Create an upload batch',
  }),
  postWithoutBody(
    '/upload/new/:handler',
    (show) => ({ beginUpload: call({ handler: input('address.handler') }, show.batch) }),
    {
      name: 'beginUploadThrough',
      summary: 'Create an upload batch for an upload handler',
      status: 200,
    },
  ),
  get('/upload/handlers', (show) => ({ uploadHandlers: show.uploadHandlers }), {
    name: 'getUploadHandlers',
    summary: 'All upload handlers',
  }),
  get(
    '/upload/handlers/:name',
    (show) => ({ uploadHandler: call({ name: input('address.name') }, show.uploadHandler) }),
    { name: 'getUploadHandler', summary: 'An upload handler' },
  ),
  get('/upload/:batch', (show) => ({ uploadBatch: call(batch, show.batchFiles) }), {
    name: 'getUploadedFiles',
    summary: 'The files of a batch',
    resultPath: ['uploadBatch', 'files'],
    alternative: {
      status: 204,
      description: 'The batch has no files.',
      when: (files) => (files as unknown[]).length === 0,
    },
  }),
  del('/upload/:batch', () => ({ deleteUpload: call(batch) }), {
    name: 'deleteUpload',
    summary: 'Delete an upload batch with its files',
  }),
  get('/upload/:batch/info', (show) => ({ uploadBatch: call(batch, show.batch) }), {
    name: 'getUpload',
    summary: 'A batch with its files',
  }),
  post(
    '/upload/:batch/:file',
    singleBlobBody,
    (show) => ({ uploadFile: call({ ...file, upload: input('body'), ...show.forms.chunk }, show.received) }),
    {
      name: 'uploadFile',
      summary: 'Upload a file, or a chunk of one, to a batch',
      description: 'The body consists of the unencoded bytes.',
      bodyForm: 'file',
      alternative: whileIncomplete,
    },
  ),
  get('/upload/:batch/:file', (show) => ({ uploadedFile: call(file, show.uploadedFile) }), {
    name: 'getUploadedFile',
    summary: 'A file of a batch',
    alternative: whileIncomplete,
  }),
  del('/upload/:batch/:file', () => ({ deleteUploadedFile: call(file) }), {
    name: 'deleteUploadedFile',
    summary: 'Remove a file from a batch',
  }),
];
