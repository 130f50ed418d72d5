import { call, input } from '../../selection.ts';
import { sentBlob } from '../bodies/documents.ts';
import { del, get, post, postNothing, type Route } from '../route.ts';

const batch = { batch: input('address.batch') };
const file = { ...batch, file: input('address.file') };

/** What may be there of a file that is shown. */
interface Shown {
  readonly uploadedChunkIds?: readonly number[];
  readonly chunkCount?: number;
}

const whileIncomplete: Route['besides'] = {
  ...{ status: 202, says: 'Chunks of the file are missing.' },
  when: (shown) => {
    const { uploadedChunkIds = [], chunkCount = 0 } = shown as Shown;
    return uploadedChunkIds.length < chunkCount;
  },
};

/** §4.7 Uploads: files that are brought one by one, into batches, until documents and operations take them. */
export const uploads: readonly Route[] = [
  postNothing('/upload', (show) => ({ beginUpload: call({}, show.newBatch) }), {
    name: 'beginUpload',
    summary: 'A new batch for files',
  }),
  postNothing(
    '/upload/new/:handler',
    (show) => ({ beginUpload: call({ handler: input('address.handler') }, show.batch) }),
    {
      name: 'beginUploadThrough',
      summary: 'A new batch for files that come through a handler',
      status: 200,
    },
  ),
  get('/upload/handlers', (show) => ({ uploadHandlers: show.uploadHandlers }), {
    name: 'getUploadHandlers',
    summary: 'What files can be uploaded through',
  }),
  get(
    '/upload/handlers/:name',
    (show) => ({ uploadHandler: call({ name: input('address.name') }, show.uploadHandler) }),
    { name: 'getUploadHandler', summary: 'Whether there is an upload handler of a name' },
  ),
  get('/upload/:batch', (show) => ({ uploadBatch: call(batch, show.batchFiles) }), {
    name: 'getUploadedFiles',
    summary: 'The files of a batch',
    show: ['uploadBatch', 'files'],
    besides: {
      ...{ status: 204, says: 'The batch has no files.' },
      when: (files) => (files as unknown[]).length === 0,
    },
  }),
  del('/upload/:batch', () => ({ deleteUpload: call(batch) }), {
    name: 'deleteUpload',
    summary: 'Delete a batch with its files',
  }),
  get('/upload/:batch/info', (show) => ({ uploadBatch: call(batch, show.batch) }), {
    name: 'getUpload',
    summary: 'A batch with its files',
  }),
  post(
    '/upload/:batch/:file',
    sentBlob,
    (show) => ({ uploadFile: call({ ...file, upload: input('body') }, show.received) }),
    {
      name: 'uploadFile',
      summary: 'Put a file, or a chunk of one, into a batch',
      description: 'The body is the bytes, as they are.',
      blobs: 'file',
      besides: whileIncomplete,
    },
  ),
  get('/upload/:batch/:file', (show) => ({ uploadedFile: call(file, show.uploadedFile) }), {
    name: 'getUploadedFile',
    summary: 'A file of a batch',
    besides: whileIncomplete,
  }),
  del('/upload/:batch/:file', () => ({ deleteUploadedFile: call(file) }), {
    name: 'deleteUploadedFile',
    summary: 'Take a file out of a batch',
  }),
];
