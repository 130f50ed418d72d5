import { NotFound } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { fileIndex, type UploadBatch, type UploadedFile } from '../../loaders/uploads/uploads.ts';
import { uploadRoom } from '../../store/uploads/upload-bytes.ts';
import {
  chunksToJoin,
  deleteUploadedFile,
  type UploadResult,
  uploadFile,
} from '../../store/uploads/upload-file.ts';
import { beginUpload, deleteUpload, noBatch, noFile, uploadHandlers } from '../../store/uploads/uploads.ts';

const chunkCount = {
  nullable: true,
  description: 'The number of chunks; null if the file is not sent in chunks.',
} as const;
const chunks = {
  description: 'The indexes of the chunks that have been received.',
  resolve: ({ chunks: there }: UploadedFile) => [...there],
};

const uploadType = {
  description: 'normal or chunked.',
  resolve: ({ chunkCount: count }: UploadedFile) => (count === null ? 'normal' : 'chunked'),
};

const FileType = builder.objectRef<UploadedFile>('UploadedFile').implement({
  description: 'A file of a batch.',
  fields: (t) => ({
    name: t.exposeString('name'),
    size: t.exposeFloat('size', {
      description: 'The size in bytes; for a file sent in chunks, the declared size.',
    }),
    uploadType: t.string(uploadType),
    chunkCount: t.exposeInt('chunkCount', chunkCount),
    chunks: t.intList(chunks),
  }),
});

const ReceivedType = builder.objectRef<UploadResult>('ReceivedFile').implement({
  description: 'The file or chunk that was added.',
  fields: (t) => ({
    batchId: t.exposeID('batchId'),
    index: t.id({
      description: 'The number that the caller has given to the file.',
      resolve: ({ index }) => String(index),
    }),
    uploadType: t.string(uploadType),
    size: t.string({
      description: 'The size in bytes.',
      resolve: ({ uploadedSize }) => String(uploadedSize),
    }),
    chunkCount: t.exposeInt('chunkCount', chunkCount),
    chunks: t.intList(chunks),
  }),
});

const Batch = builder.objectRef<UploadBatch>('UploadBatch').implement({
  description: "One of the caller's upload batches.",
  fields: (t) => ({
    id: t.exposeID('id'),
    files: t.expose('files', { type: [FileType] }),
  }),
});

const Handler = builder.objectRef<string>('UploadHandler').implement({
  description: 'An upload handler.',
  fields: (t) => ({ name: t.string({ resolve: (name) => name }) }),
});

const Handlers = builder.objectRef<readonly string[]>('UploadHandlers').implement({
  fields: (t) => ({ handlers: t.field({ type: [Handler], resolve: (names) => [...names] }) }),
});

const ChunkInput = builder.inputType('ChunkInput', {
  description: 'A chunk of a file.',
  fields: (t) => ({
    index: t.int({ required: true }),
    count: t.int({ required: true }),
    size: t.float({ required: true, description: 'The size of the whole file in bytes.' }),
  }),
});

const JoinedInput = builder.inputType('JoinedInput', {
  description: 'The complete file, joined from its chunks.',
  fields: (t) => ({
    digest: t.string({ required: true }),
    of: t.stringList({ required: true, description: 'The digests of its chunks.' }),
  }),
});

const UploadInput = builder.inputType('UploadInput', {
  description: 'A file or chunk to add to a batch. Its bytes are already in the blob store.',
  fields: (t) => ({
    digest: t.string({ required: true, description: 'The SHA-256 hash of the bytes in hexadecimal.' }),
    name: t.string({ required: true }),
    mimeType: t.string({ required: true }),
    encoding: t.string(),
    chunk: t.field({ type: ChunkInput }),
    joined: t.field({
      type: JoinedInput,
      description: 'The complete file; set when the last missing chunk is added.',
    }),
  }),
});

const batchArgument = builder.args((t) => ({ batch: t.id({ required: true }) }));
const fileArguments = builder.args((t) => ({
  batch: t.id({ required: true }),
  file: t.id({ required: true }),
}));
const uploadArguments = builder.args((t) => ({ upload: t.field({ type: UploadInput, required: true }) }));

builder.queryFields((t) => ({
  uploadHandlers: t.field({ type: Handlers, resolve: () => uploadHandlers }),
  uploadHandler: t.field({
    type: Handler,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: (_, { name }) => {
      const found = uploadHandlers.find((handler) => handler === name);
      if (found === undefined) throw new NotFound(`There is no upload handler ${name.slice(0, 80)}.`);
      return found;
    },
  }),
  uploadBatch: t.field({
    type: Batch,
    nullable: true,
    description: "One of the caller's batches.",
    args: batchArgument,
    resolve: async (_, { batch }, { load }) => {
      const found = (await load.uploadBatches([batch])).get(batch);
      if (!found) throw noBatch(batch);
      return found;
    },
  }),
  uploadedFile: t.field({
    type: FileType,
    nullable: true,
    description: "A file in one of the caller's batches.",
    args: fileArguments,
    resolve: async (_, { batch, file }, { load }) => {
      const found = (await load.uploadBatches([batch], [fileIndex(file)])).get(batch)?.files[0];
      if (!found) throw noFile(batch, file);
      return found;
    },
  }),
  uploadRoom: t.float({
    nullable: true,
    description:
      'The number of bytes that the caller can still upload to a batch as a file, or as the chunk with the given index.',
    args: { ...fileArguments, chunk: t.arg.int() },
    resolve: (_, { batch, file, chunk }, context) =>
      uploadRoom(context, { batchId: batch, file }, chunk ?? null),
  }),
  chunksToJoin: t.stringList({
    nullable: true,
    description:
      'The digests of all chunks of a file if the given chunk is the last missing one; otherwise empty.',
    args: { ...fileArguments, ...uploadArguments },
    resolve: (_, { batch, file, upload }, context) => chunksToJoin(context, { batchId: batch, file }, upload),
  }),
}));

builder.mutationFields((t) => ({
  beginUpload: t.field({
    type: Batch,
    args: { handler: t.arg.string({ defaultValue: 'default' }) },
    resolve: (_, { handler }, context) => beginUpload(context, handler ?? 'default'),
  }),
  uploadFile: t.field({
    type: ReceivedType,
    description: "Adds a file or a chunk to one of the caller's batches.",
    args: {
      ...fileArguments,
      ...uploadArguments,
      replacesChunk: t.arg.boolean({
        defaultValue: true,
        description:
          'Whether a chunk that is sent again replaces the earlier one, while the file is incomplete.',
      }),
    },
    resolve: (_, { batch, file, upload, replacesChunk }, context) =>
      uploadFile(context, { batchId: batch, file }, { ...upload, isFirst: !replacesChunk }),
  }),
  deleteUpload: t.id({
    description: "Deletes one of the caller's batches with its files, and returns its id.",
    args: batchArgument,
    resolve: async (_, { batch }, context) => {
      await deleteUpload(context, batch);
      return batch;
    },
  }),
  deleteUploadedFile: t.id({
    description: "Deletes a file from one of the caller's batches, and returns its index.",
    args: fileArguments,
    resolve: async (_, { batch, file }, context) => {
      await deleteUploadedFile(context, { batchId: batch, file });
      return file;
    },
  }),
}));
