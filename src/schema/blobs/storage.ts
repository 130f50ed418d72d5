import { builder } from '../../graphql/builder.ts';
import { type StorageReport, type StoredPart, storageReport } from '../../loaders/blobs/storage.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { requestStorageCount } from '../../store/blobs/count-storage.ts';

const StoragePart = builder.objectRef<StoredPart>('StoragePart').implement({
  description: 'A part of the stored files.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: '`all`, `type`, `workspace` or `duplicate`.' }),
    key: t.exposeString('key', {
      nullable: true,
      description: 'The document type, the id of the workspace, or the digest.',
    }),
    title: t.exposeString('title', { nullable: true }),
    files: t.exposeInt('files', {
      description: 'The number of different files; for a duplicate, the number of documents that contain it.',
    }),
    bytes: t.exposeFloat('bytes', {
      description: 'The size. A file that several documents contain is counted once.',
    }),
    documents: t.idList({
      description: 'The ids of some of the documents that contain a duplicate.',
      resolve: ({ documents }) => [...(documents ?? [])],
    }),
  }),
});

const Report = builder.objectRef<StorageReport>('StorageReport').implement({
  description:
    'The sizes of the files of all documents, by type and by workspace, and the largest files that several documents contain, as a daily job has counted them.',
  fields: (t) => ({
    countedAt: t.string({
      nullable: true,
      description: 'The time of the count; null before the first one.',
      resolve: ({ countedAt }) => countedAt?.toISOString(),
    }),
    isCounting: t.exposeBoolean('isCounting', {
      description: 'Whether the files are being counted, or are about to be.',
    }),
    parts: t.field({
      type: [StoragePart],
      description: 'The sizes; empty before the first count.',
      resolve: ({ parts }) => [...parts],
    }),
  }),
});

builder.queryField('storage', (t) =>
  t.field({
    type: Report,
    description: 'What the files of all documents take up. Only for administrators.',
    resolve: (_, __, context) => {
      requireAdministrator(context.user, 'see the storage');
      return storageReport(context);
    },
  }),
);

builder.mutationField('countStorage', (t) =>
  t.boolean({
    description: 'Counts the files again in the background, and returns true. Only for administrators.',
    resolve: async (_, __, context) => {
      requireAdministrator(context.user, 'count the files');
      await requestStorageCount(context);
      return true;
    },
  }),
);
