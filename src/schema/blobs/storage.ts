import { builder } from '../../graphql/builder.ts';
import { type StoredPart, storageReport } from '../../loaders/blobs/storage.ts';
import { requireAdministrator } from '../../security/principal.ts';

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

builder.queryField('storage', (t) =>
  t.field({
    type: [StoragePart],
    description:
      'The sizes of the files of all documents, by type and by workspace, and the largest files that several documents contain. Only for administrators. The duration grows with the number of files.',
    resolve: async (_, __, context) => {
      requireAdministrator(context.user, 'see the storage');
      return [...(await storageReport(context))];
    },
  }),
);
