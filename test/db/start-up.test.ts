/** @group every-database, slow */

import { describe, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { createStockContent } from '../../src/store/stock/stock-content.ts';
import { startBeside } from '../support/beside.ts';
import { emptyDatabase } from '../support/database.ts';
import { createDocument } from '../support/documents.ts';
import { startServer } from '../support/server.ts';

const settings = {
  repositories: ['default', 'archive'],
  administrator: { username: 'Administrator', password: 'secret' },
  hash: async (password: string) => `hash of ${password}`,
  isAdded: true,
};

/** The numbers of rows that the first start creates. */
const counts = async ({ prisma }: Database) => ({
  documents: await prisma.document.count(),
  users: await prisma.user.count(),
  entries: await prisma.directoryEntry.count(),
});

describe('The stock content', () => {
  test('is created once', async () => {
    await using empty = await emptyDatabase();
    const { database } = empty;
    const model = await loadModel(undefined);
    await database.migrate();
    await createStockContent(database, model, settings);
    const laid = await counts(database);
    expect(laid).toMatchObject({ documents: 16, users: 1 });
    expect(laid.entries).toBeGreaterThan(500);
    await createStockContent(database, model, settings);
    expect(await counts(database)).toEqual(laid);
  });

  test('gets another administrator for another name in the settings, but only when the server starts', async () => {
    await using empty = await emptyDatabase();
    const { database } = empty;
    const model = await loadModel(undefined);
    await database.migrate();
    await createStockContent(database, model, { ...settings, isAdded: false });
    const renamed = { ...settings, administrator: { username: 'jane', password: 'secret' } };
    await createStockContent(database, model, { ...renamed, isAdded: false });
    const members = async () =>
      (await database.prisma.userMembership.findMany({ where: { groupId: 'administrators' } })).map(
        ({ memberId }) => memberId,
      );
    expect(await counts(database)).toMatchObject({ users: 1 });
    expect(await members()).toEqual(['Administrator']);
    await createStockContent(database, model, renamed);
    expect((await members()).sort()).toEqual(['Administrator', 'jane']);
  });

  test('is not restored after it was changed or deleted', async () => {
    await using empty = await emptyDatabase();
    const { database } = empty;
    const model = await loadModel(undefined);
    await database.migrate();
    await createStockContent(database, model, settings);
    await database.prisma.document.deleteMany({ where: { name: 'templates' } });
    await database.prisma.directoryEntry.deleteMany({ where: { directory: 'nature', id: 'article' } });
    await database.prisma.user.updateMany({ data: { passwordHash: 'changed' } });
    const left = await counts(database);
    await createStockContent(database, model, settings);
    expect(await counts(database)).toEqual(left);
    expect(await database.prisma.user.findFirst()).toMatchObject({ passwordHash: 'changed' });
  });
});

describe('Several processes that start concurrently on an empty server', () => {
  test('apply each migration once and create the stock content once', async () => {
    const { database, url = '' } = await emptyDatabase();
    const model = await loadModel(undefined);
    const databases = [1, 2, 3].map(() => createDatabase(connectServer(url, 60)));
    try {
      const applied = await Promise.all(
        databases.map(async (each) => {
          const names = await each.migrate();
          await createStockContent(each, model, settings);
          return names;
        }),
      );
      expect(applied.flat().sort()).toEqual([...new Set(applied.flat())].sort());
      expect(applied.flat()).not.toEqual([]);
      expect(await counts(database)).toMatchObject({ documents: 16, users: 1 });
      const entries = await database.prisma.directoryEntry.groupBy({ by: ['directory', 'id'] });
      expect(entries).toHaveLength(await database.prisma.directoryEntry.count());
    } finally {
      await Promise.all(databases.map((each) => each.close()));
      await database.close();
    }
  });

  test('all serve the same documents, and the blobs of a shared DATA_DIR', async () => {
    await using server = await startServer();
    const other = await startBeside(server);
    const properties = { 'file:content': { content: 'seen by both' } };
    await createDocument(server, { name: 'shared', properties });
    const { text } = await other.request
      .get('/api/v1/path/default-domain/workspaces/shared/@blob')
      .expect(200);
    expect(text).toBe('seen by both');
    await other.close();
  });
});
