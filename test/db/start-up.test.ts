import { describe, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { createStockContent } from '../../src/store/stock/stock-content.ts';
import { emptyDatabase, isOnServer } from '../support/database.ts';
import { newFolder } from '../support/folder.ts';
import { ask, kill, processSettings, run, serve } from './processes.ts';

const settings = {
  repositories: ['default', 'archive'],
  administrator: { username: 'Administrator', password: 'secret' },
  hash: async (password: string) => `hash of ${password}`,
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

(isOnServer ? describe : describe.skip)(
  'Several processes that start concurrently on an empty server',
  () => {
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
      await using shared = await processSettings();
      const starting = [1, 2].map(() => serve(shared.settings));
      try {
        const [one, other] = await Promise.all(starting);
        const properties = { 'file:content': { content: 'seen by both' } };
        const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'shared', properties });
        const created = await ask(one?.url ?? '', '/api/v1/path/', { method: 'POST', body });
        expect(created.status).toBe(201);
        const blob = await ask(other?.url ?? '', '/api/v1/path/shared/@blob');
        expect(await blob.text()).toBe('seen by both');
      } finally {
        for (const started of await Promise.allSettled(starting)) {
          if (started.status === 'fulfilled') await kill(started.value);
        }
      }
    });
  },
);

(isOnServer ? describe.skip : describe)('The embedded database', () => {
  test('refuses a second process and names the first; after a kill the next one starts', async () => {
    const dataDir = newFolder();
    await using first = await serve({ DATA_DIR: dataDir });
    const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'kept' });
    const created = await ask(first.url, '/api/v1/path/', { method: 'POST', body });
    expect(created.status).toBe(201);
    for (const program of ['src/server.ts', 'src/cli/migrate.ts']) {
      const second = run(program, { DATA_DIR: dataDir, PORT: '0' });
      expect(await second.ended).toEqual({ code: 1, signal: null });
      expect(second.printed.err).toContain(`${dataDir} is in use by process ${first.child.pid}`);
      expect(second.printed.err).not.toMatch(/^ {4}at /m);
    }
    expect((await ask(first.url, '/api/v1/path/kept')).status).toBe(200);
    await kill(first);
    await using next = await serve({ DATA_DIR: dataDir });
    expect((await ask(next.url, '/api/v1/path/kept')).status).toBe(200);
  }, 120_000);
});
