/** @group slow */
import { utimes } from 'node:fs/promises';
import { expect, jest, test } from '@jest/globals';
import { openBlobStore } from '../../src/blobs/open-blob-store.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import { useProcessSettings } from '../db/processes.ts';
import { blobFile } from '../support/blob-file.ts';
import { quire, quireProcess } from './run-quire.ts';

jest.setTimeout(120_000);

const settings = useProcessSettings({ isStocked: true });

const check = (...given: string[]) => quire(['check', ...given], settings);

test('quire check names faults and ends with 3, repairs them, and finds nothing then', async () => {
  expect(await quireProcess(['check'], settings)).toEqual({
    code: 0,
    err: '',
    out: 'Faults: tree 0, versions 0, acls 0, authorities 0, values 0, blobs 0, index 0\n',
  });
  const { database } = await openDatabase(readConfig(settings));
  const text = `UPDATE document SET path = '/elsewhere' WHERE path = '/default-domain/sections' RETURNING id`;
  const [row] = await database.query<{ id: string }>({ name: '', text }, []);
  await database.close();
  const fault = `/elsewhere (${row?.id}) should be at /default-domain/sections`;
  expect(await check('tree')).toMatchObject({ code: 3, out: `tree/path: ${fault}\nFaults: tree 1\n` });
  const repaired = await check('tree', 'acls', '--repair', '--json');
  expect(repaired).toMatchObject({ code: 0, err: '' });
  expect(
    repaired.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      check: 'tree',
      kind: 'path',
      repository: 'default',
      id: row?.id,
      path: '/elsewhere',
      message: 'should be at /default-domain/sections',
      isRepaired: true,
    },
    { checks: { tree: { faults: 1, repaired: 1 }, acls: { faults: 0, repaired: 0 } }, left: 0 },
  ]);
  expect(await check('tree')).toMatchObject({ code: 0, out: 'Faults: tree 0\n' });
  expect(await check('trees')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('The valid kinds are tree,'),
  });
});

test('quire check counts files that no row refers to, in its JSON too', async () => {
  const config = readConfig(settings);
  const blobs = await openBlobStore(config);
  const { digest } = await blobs.write([Buffer.from('of no document')]);
  const found = await check('blobs', '--json');
  expect(found).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^blobs: No row refers to 1 files in the blob store/),
  });
  const none = { faults: 0, repaired: 0 };
  expect(JSON.parse(found.out)).toEqual({ checks: { blobs: { ...none, unreferenced: 1 } }, left: 0 });
  const old = new Date(Date.now() - 172_800_000);
  await utimes(blobFile({ dataDir: config.DATA_DIR }, digest), old, old);
  const repaired = await check('blobs', '--repair', '--json');
  expect(JSON.parse(repaired.out)).toEqual({ checks: { blobs: { ...none, deleted: 1 } }, left: 0 });
});
