/** @group slow, long */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { openFolderStore } from '../../src/blobs/folder-store.ts';
import { readConfig } from '../../src/config.ts';
import { openServices } from '../../src/open-services.ts';
import { allRows, fillTables, schemaOf } from '../db/copy/contents.ts';
import { createBinary } from '../rest/blobs/blob-requests.ts';
import { administrator } from '../support/administrator.ts';
import { emptyDatabase, stockedDatabase, type TestDatabase } from '../support/database.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { requestsAs, type TestServer, useServer } from '../support/server.ts';
import { use } from '../support/use.ts';

const folder = newFolder();
const tokenKey = 'the key of both servers';
const server = useServer({ TOKEN_KEY: tokenKey });
const file = join(folder, 'whole.backup');
const options = { signal: new AbortController().signal, onProgress: () => {} };

const source = ({ database, blobs }: TestServer) => ({ database, blobs, tokenKey });

const bytes = randomBytes(3_000_000);
let filled: DocumentEntity;
let stored: Awaited<ReturnType<typeof allRows>>;
beforeAll(async () => {
  filled = await fillTables(server);
  await createBinary(server, bytes);
  await createDocument(server, { properties: { 'file:content': { content: '' } } });
  await server.journal.flush();
  stored = await allRows(server.database);
  await writeBackup(source(server), file, options);
});

interface Target extends AsyncDisposable {
  readonly dataDir: string;
  readonly database: TestDatabase['database'];
  readonly restore: (
    from?: string,
    isReplaced?: boolean,
    given?: typeof options,
  ) => ReturnType<typeof restoreBackup>;
}

async function newTarget(open = emptyDatabase): Promise<Target> {
  const opened = await open();
  const dataDir = newFolder();
  const blobs = await openFolderStore(join(dataDir, 'blobs'));
  const target = { database: opened.database, blobs };
  return {
    dataDir,
    database: opened.database,
    restore: (from = file, isReplaced = false, given = options) =>
      restoreBackup(target, from, { ...given, isReplaced }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** The file with other bytes, under another name. */
async function changed(name: string, change: (whole: Buffer) => Buffer): Promise<string> {
  const copy = join(folder, name);
  await writeFile(copy, change(await readFile(file)));
  return copy;
}

const lists = [
  '/api/v1/path/default-domain/workspaces/@children?pageSize=100',
  "/api/v1/search/lang/NXQL/execute?query=SELECT * FROM Document WHERE ecm:fulltext = 'quoted' ORDER BY ecm:uuid",
  '/api/v1/user/search?q=*',
  '/api/v1/group/search?q=*',
  '/api/v1/directory',
  '/api/v1/directory/country?pageSize=300',
  '/api/v1/directory/oauth2Tokens',
  '/api/v1/workflow',
  '/api/v1/task?pageSize=0',
  '/api/v1/token',
];

describe('A backup', () => {
  test('restores every row, and a server that answers the same', async () => {
    await using target = await newTarget();
    expect(await target.restore()).toMatchObject({ missing: [], tokenKey });
    expect(await allRows(target.database)).toEqual(stored);
    expect(await schemaOf(target.database)).toEqual(await schemaOf(server.database));
    const log = pino({ level: 'silent' });
    const config = readConfig({ DATA_DIR: target.dataDir, TOKEN_KEY: tokenKey });
    const { app, close } = await openServices(config, target.database, {
      log,
      isReady: () => true,
    });
    const restored = requestsAs(() => app, administrator.username, administrator.password);
    const own = [
      `/api/v1/id/${filled.uid}/@acl`,
      `/api/v1/id/${filled.uid}/@audit?pageSize=0`,
      '/api/v1/search/lang/NXQL/execute?query=SELECT * FROM Document WHERE ecm:isVersion = 1 ORDER BY ecm:uuid',
    ];
    const headers = { properties: '*', 'enrichers.document': 'tags,acls,thumbnail,favorites,collections' };
    for (const path of [...lists, ...own]) {
      const [before, after] = await Promise.all(
        [server.request, restored].map((who) => who.get(path).set(headers)),
      );
      const local = (text = '') => text.replaceAll(/127\.0\.0\.1:\d+/g, 'host');
      expect([path, after?.status, local(after?.text)]).toEqual([path, 200, local(before?.text)]);
    }
    const children = await restored.get(lists[0] ?? '').set(headers);
    const contents = children.body.entries
      .map((entry: DocumentEntity) => entry.properties['file:content'])
      .filter(Boolean) as Array<{ data: string; length: string }>;
    expect(contents.map(({ length }) => Number(length))).toContain(bytes.length);
    for (const { data, length } of contents) {
      const { body, status } = await restored.get(new URL(data).pathname).buffer(true).responseType('blob');
      expect([status, body.length]).toEqual([200, Number(length)]);
    }
    await close();
  });

  test('is readable by its owner alone', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  test('is of one moment, whatever is written meanwhile', async () => {
    const during = join(folder, 'during.backup');
    const before = await allRows(server.database);
    let isWritten = false;
    const writeOnce = () => {
      if (isWritten) return;
      isWritten = true;
      written = createDocument(server, { properties: { 'file:content': { content: 'meanwhile' } } });
    };
    let written: Promise<unknown> = Promise.resolve();
    await writeBackup(source(server), during, { ...options, onProgress: writeOnce });
    await written;
    await using target = await newTarget();
    await target.restore(during);
    expect(await allRows(target.database)).toEqual(before);
  });

  test('names blobs that the store lacks or that are damaged, and restores the rest', async () => {
    await using other = await newTarget();
    await other.restore();
    const store = join(other.dataDir, 'blobs');
    const names = (await readdir(store, { recursive: true }))
      .filter((name) => /[\da-f]{64}$/.test(name))
      .sort();
    const [gone = '', damaged = ''] = names;
    await rm(join(store, gone));
    await truncate(join(store, damaged), 1);
    const blobs = await openFolderStore(store);
    const partial = join(folder, 'partial.backup');
    const report = await writeBackup(
      { database: other.database, blobs, tokenKey: undefined },
      partial,
      options,
    );
    const missing = [gone, damaged].map((name) => name.slice(-64)).sort();
    expect([...report.missing].sort()).toEqual(missing);
    await using target = await newTarget();
    const restored = await target.restore(partial);
    expect([...restored.missing].sort()).toEqual(missing);
    expect(await allRows(target.database)).toEqual(await allRows(other.database));
  });
});

test('An interrupted backup leaves no file', async () => {
  const controller = new AbortController();
  const interrupted = join(folder, 'interrupted.backup');
  const before = await readdir(folder);
  const onProgress = () => controller.abort();
  const given = { signal: controller.signal, onProgress };
  await expect(writeBackup(source(server), interrupted, given)).rejects.toThrow(/abort/i);
  expect(await readdir(folder)).toEqual(before);
});

describe('A restore changes nothing', () => {
  const shared = use(emptyDatabase);
  // Blobs of a refused restore stay in its store, so each has its own.
  const emptyTarget = () => newTarget(async () => ({ ...shared, [Symbol.asyncDispose]: async () => {} }));
  const whole = () => stat(file).then(({ size }) => size);

  test.each([0.1, 0.9, 0.999_99])('when the file is cut off at %p of its length', async (part) => {
    const length = Math.floor((await whole()) * part);
    const cut = await changed(`cut-${part}`, (all) => all.subarray(0, length));
    await using target = await emptyTarget();
    await expect(target.restore(cut)).rejects.toThrow(
      /is damaged, truncated or not a backup|is not a backup/,
    );
    expect(await allRows(target.database)).toEqual({});
  });

  test.each([0, 0.05, 0.6, 1])('when a bit at %p of the file is flipped', async (part) => {
    const position = Math.floor(((await whole()) - 5) * part);
    const flipped = await changed(`flipped-${part}`, (all) => {
      all.writeUInt8(all.readUInt8(position) ^ 1, position);
      return all;
    });
    await using target = await emptyTarget();
    await expect(target.restore(flipped)).rejects.toThrow(/damaged|not a backup|unknown entry/);
    expect(await allRows(target.database)).toEqual({});
  });

  test.each([
    [
      'rows were changed',
      /The backup is damaged: tables/,
      (tar: Buffer) => {
        const position = tar.indexOf('quoted');
        tar.write('QUOTED', position);
        return tar;
      },
    ],
    [
      'a blob was changed',
      /The backup is damaged: the blob [\da-f]{64} is missing/,
      (tar: Buffer) => {
        const position = tar.indexOf(bytes.subarray(1_000, 1_100));
        tar.write('other', position);
        return tar;
      },
    ],
    [
      'the end is missing',
      /truncated: its last entry is missing/,
      (tar: Buffer) => {
        return Buffer.concat([tar.subarray(0, tar.indexOf('end.json')), Buffer.alloc(1024)]);
      },
    ],
    [
      'the format is newer',
      /has format 2, but this release supports only formats up to 1/,
      (tar: Buffer) => {
        tar.write('"format": 2', tar.indexOf('"format": 1'));
        return tar;
      },
    ],
    [
      'a migration is of a newer release',
      /newer release.*29990101000000_baseline/,
      (tar: Buffer) => {
        tar.write('29990101000000_baseline', tar.indexOf('20261127120000_baseline'));
        return tar;
      },
    ],
    ['it is another archive', /not a backup/, (tar: Buffer) => tar.subarray(tar.indexOf('tables/'))],
  ])('when %s, whatever the archive says', async (what, message, change) => {
    const other = await changed(what, (all) => gzipSync(change(gunzipSync(all)), { level: 1 }));
    await using target = await emptyTarget();
    await expect(target.restore(other)).rejects.toThrow(message);
    expect(await allRows(target.database)).toEqual({});
  });

  test.each([1, 30])('when it is interrupted after %p steps', async (steps) => {
    const controller = new AbortController();
    let count = 0;
    await using target = await emptyTarget();
    const onProgress = () => {
      count += 1;
      if (count === steps) controller.abort();
    };
    const given = { signal: controller.signal, onProgress };
    await expect(target.restore(file, false, given)).rejects.toThrow(/abort/i);
    expect(await allRows(target.database)).toEqual({});
  });

  test('when the database has rows, unless they are to be replaced', async () => {
    await using other = await newTarget(stockedDatabase);
    const before = await allRows(other.database);
    await expect(other.restore()).rejects.toThrow(/The database is not empty/);
    expect(await allRows(other.database)).toEqual(before);
    await other.restore(file, true);
    expect(await allRows(other.database)).toEqual(stored);
  });
});
