import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openEmbedded } from '../../src/db/embedded.ts';
import { createDatabaseFolder, prepareDatabaseFolder } from '../../src/db/embedded-folder.ts';
import { newFolder } from '../support/folder.ts';

const base = newFolder();

async function ask(folder: string, sql: string): Promise<unknown[]> {
  const db = await openEmbedded({ dataDir: folder });
  const { rows } = await db.query(sql);
  await db.close();
  return rows;
}

const lay = (folder: string) => ask(folder, 'CREATE TABLE prepared AS SELECT 1 AS one').then(() => {});

test('a new data folder is a copy of the prepared one; those of older builds are deleted', async () => {
  const place = join(base, 'prepared');
  await mkdir(join(place, 'of-an-older-build'), { recursive: true });
  await prepareDatabaseFolder(lay, place);
  expect(await readdir(place)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);

  const folder = join(base, 'copy');
  await createDatabaseFolder(folder, place);
  expect(await ask(folder, 'SELECT one FROM prepared')).toEqual([{ one: 1 }]);
});

test('a folder is prepared once for each build', async () => {
  const place = join(base, 'prepared');
  await prepareDatabaseFolder(async () => {
    throw new Error('there is nothing to lay');
  }, place);
  expect(await readdir(place)).toHaveLength(1);
});

test('without a prepared folder a new data folder starts empty and replaces an unfinished one', async () => {
  const folder = join(base, 'new');
  await mkdir(`${folder}.unfinished`);
  await writeFile(join(`${folder}.unfinished`, 'PG_VERSION'), 'half');
  await createDatabaseFolder(folder, join(base, 'nothing'));
  expect(await ask(folder, "SELECT to_regclass('prepared') AS prepared")).toEqual([{ prepared: null }]);
});
