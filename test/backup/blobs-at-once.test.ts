import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { openFolderStore } from '../../src/blobs/folder-store.ts';
import { emptyDatabase } from '../support/database.ts';
import { createDocument } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

/** A store, and how many blobs it was asked for at the same time. */
function watched(blobs: BlobStore) {
  let [underWay, most] = [0, 0];
  const asked =
    <Result>(ask: (digest: string) => Promise<Result>) =>
    async (digest: string) => {
      underWay += 1;
      most = Math.max(most, underWay);
      return ask(digest).finally(() => {
        underWay -= 1;
      });
    };
  const store = { ...blobs, renew: asked(blobs.renew), readAll: asked(blobs.readAll) };
  return { store, most: () => most };
}

test('a backup and a restore ask the store for some blobs at a time', async () => {
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const file = join(newFolder(), 'several.backup');
  for (const content of Array.from({ length: 20 }, (_, index) => `file ${index}`))
    await createDocument(server, { properties: { 'file:content': { content } } });
  const { database, blobs } = server;
  const written = watched(blobs);
  const report = await writeBackup({ database, blobs: written.store, tokenKey: 'key' }, file, options);
  expect(report).toMatchObject({ blobs: 20, missing: [] });
  expect(written.most()).toBe(16);
  await using target = await emptyDatabase();
  const restored = watched(await openFolderStore(join(newFolder(), 'blobs')));
  const into = { database: target.database, blobs: restored.store };
  await restoreBackup(into, file, { ...options, isReplaced: false });
  expect(restored.most()).toBe(16);
});
