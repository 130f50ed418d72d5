import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '../../src/db/database.ts';
import { connectServer } from '../../src/db/server.ts';
import { loadModel } from '../../src/model/contributed.ts';
import { layStockContent } from '../../src/store/stock-content.ts';
import { emptyDatabase, isOnServer } from '../support/database.ts';
import { ask, databaseSettings, kill, run, serve } from './processes.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quire-start-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const settings = {
  repositories: ['default', 'archive'],
  administrator: { username: 'Administrator', password: 'secret' },
  hash: async (password: string) => `hash of ${password}`,
};

/** How many rows there are of everything that is laid at the first start. */
const counts = async ({ prisma }: Database) => ({
  documents: await prisma.document.count(),
  users: await prisma.user.count(),
  entries: await prisma.directoryEntry.count(),
});

describe('The stock content', () => {
  test('is laid once, however often it is laid', async () => {
    const { database } = await emptyDatabase();
    try {
      const model = await loadModel(undefined);
      await database.migrate();
      await layStockContent(database, model, settings);
      const laid = await counts(database);
      expect(laid).toMatchObject({ documents: 16, users: 1 });
      expect(laid.entries).toBeGreaterThan(500);
      await layStockContent(database, model, settings);
      expect(await counts(database)).toEqual(laid);
    } finally {
      await database.close();
    }
  }, 60_000);

  test('that was changed or removed does not come back', async () => {
    const { database } = await emptyDatabase();
    try {
      const model = await loadModel(undefined);
      await database.migrate();
      await layStockContent(database, model, settings);
      await database.prisma.document.deleteMany({ where: { name: 'templates' } });
      await database.prisma.directoryEntry.deleteMany({ where: { directory: 'nature', id: 'article' } });
      await database.prisma.user.updateMany({ data: { passwordHash: 'changed' } });
      const left = await counts(database);
      await layStockContent(database, model, settings);
      expect(await counts(database)).toEqual(left);
      expect(await database.prisma.user.findFirst()).toMatchObject({ passwordHash: 'changed' });
    } finally {
      await database.close();
    }
  }, 60_000);
});

(isOnServer ? describe : describe.skip)('Several processes that start at once on an empty server', () => {
  test('apply each migration once and lay the stock content once', async () => {
    const { database, url = '' } = await emptyDatabase();
    const model = await loadModel(undefined);
    const databases = [1, 2, 3].map(() => createDatabase(connectServer(url, 60)));
    try {
      const applied = await Promise.all(
        databases.map(async (each) => {
          const names = await each.migrate();
          await layStockContent(each, model, settings);
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
  }, 60_000);

  test('all serve the same documents, and the blobs of a shared DATA_DIR', async () => {
    const { settings: shared, drop } = await databaseSettings();
    const starting = [1, 2].map(() => serve({ ...shared, DATA_DIR: dataDir }));
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
      await drop();
    }
  }, 60_000);
});

(isOnServer ? describe.skip : describe)('The embedded database', () => {
  test('is one process’ alone: a second is refused and names it; after a kill the next one starts', async () => {
    const first = await serve({ DATA_DIR: dataDir });
    const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'kept' });
    const created = await ask(first.url, '/api/v1/path/', { method: 'POST', body });
    expect(created.status).toBe(201);
    try {
      for (const program of ['src/server.ts', 'src/cli/migrate.ts']) {
        const second = run(program, { DATA_DIR: dataDir, PORT: '0' });
        expect(await second.ended).toEqual({ code: 1, signal: null });
        expect(second.printed.err).toContain(`${dataDir} is in use by process ${first.child.pid}`);
        expect(second.printed.err).not.toMatch(/^ {4}at /m);
      }
      expect((await ask(first.url, '/api/v1/path/kept')).status).toBe(200);
    } finally {
      await kill(first);
    }
    const next = await serve({ DATA_DIR: dataDir });
    try {
      expect((await ask(next.url, '/api/v1/path/kept')).status).toBe(200);
    } finally {
      await kill(next);
    }
  }, 120_000);
});
