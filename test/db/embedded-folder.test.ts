import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openEmbedded } from '../../src/db/embedded.ts';
import { createDatabaseFolder, prepareDatabaseFolder } from '../../src/db/embedded-folder.ts';

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'quire-folder-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function ask(folder: string, sql: string): Promise<unknown[]> {
  const db = await openEmbedded({ dataDir: folder });
  const { rows } = await db.query(sql);
  await db.close();
  return rows;
}

const lay = (folder: string) => ask(folder, 'CREATE TABLE prepared AS SELECT 1 AS one').then(() => {});

test('a new data folder starts from what the build prepared, which others made before are swept for', async () => {
  const place = join(base, 'prepared');
  await mkdir(join(place, 'of-an-older-build'), { recursive: true });
  await prepareDatabaseFolder(lay, place);
  expect(await readdir(place)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);

  const folder = join(base, 'copy');
  await createDatabaseFolder(folder, place);
  expect(await ask(folder, 'SELECT one FROM prepared')).toEqual([{ one: 1 }]);
}, 60_000);

test('it is prepared once', async () => {
  const place = join(base, 'prepared');
  await prepareDatabaseFolder(async () => {
    throw new Error('there is nothing to lay');
  }, place);
  expect(await readdir(place)).toHaveLength(1);
}, 60_000);

test('without it a new data folder starts empty, and takes the place of one that was not finished', async () => {
  const folder = join(base, 'new');
  await mkdir(`${folder}.unfinished`);
  await writeFile(join(`${folder}.unfinished`, 'PG_VERSION'), 'half');
  await createDatabaseFolder(folder, join(base, 'nothing'));
  expect(await ask(folder, "SELECT to_regclass('prepared') AS prepared")).toEqual([{ prepared: null }]);
}, 60_000);
