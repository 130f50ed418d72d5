import { expect, test } from '@jest/globals';
import { exportTree } from '../../src/export/export-tree.ts';
import { sweepBlobs } from '../../src/store/blobs/sweep-blobs.ts';
import { ageFile, day } from '../blobs/store-kinds.ts';
import { blobFile } from '../support/blob-file.ts';
import { createDocument } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

test('an export has the files of documents that are deleted while it is written', async () => {
  const { blobs, database, request } = server;
  const top = await createDocument(server, { type: 'Workspace', name: 'top' });
  for (const content of ['one', 'two'])
    await createDocument(server, {
      parent: top.path,
      properties: { 'file:content': { name: content, content } },
    });
  const digests: string[] = [];
  for await (const page of blobs.list()) digests.push(...page);
  for (const digest of digests) await ageFile(blobFile(server, digest), 2 * day);
  let deleting: Promise<number> | undefined;
  const deleteAll = async () => {
    await request.delete(`/api/v1/id/${top.uid}`).expect(204);
    return sweepBlobs(database, blobs);
  };
  const read: typeof blobs.read = async (...given) => {
    deleting ??= deleteAll();
    await deleting;
    return blobs.read(...given);
  };
  const folder = newFolder();
  const services = { ...server.services, blobs: { ...blobs, read } };
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const report = await exportTree(services, { repository: 'default', path: top.path, folder }, options);
  expect(report).toMatchObject({ documents: 3, files: 2, missing: [] });
  expect(await deleting).toBe(0);
  expect(digests).toHaveLength(2);
});
