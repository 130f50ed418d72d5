/** @group slow */
import { createHash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { placeOf } from '../../src/blobs/folder-store.ts';
import { ask, processSettings, type RunningServer, serve, useProcessSettings } from '../db/processes.ts';
import { newFolder } from '../support/folder.ts';
import { quire, quireProcess } from './run-quire.ts';

const settings = useProcessSettings({ isStocked: true });
const file = join(newFolder(), 'all.backup');

const command = (name: 'backup' | 'restore', args: readonly string[], given = settings) =>
  quire([name, ...args], given);

const post = (url: string, path: string, body: object) =>
  ask(url, path, { method: 'POST', body: JSON.stringify(body) });

const paths = [
  '/api/v1/path/default-domain/workspaces/@children',
  '/api/v1/user/search?q=*',
  '/api/v1/directory/nature?pageSize=100',
];

async function answersOf({ url }: RunningServer): Promise<string[]> {
  const answers = paths.map(async (path) => (await (await ask(url, path)).text()).replaceAll(url, ''));
  return Promise.all(answers);
}

let answers: string[];
let backedUp: Awaited<ReturnType<typeof command>>;
beforeAll(async () => {
  const server = await serve(settings);
  const parent = '/api/v1/path/default-domain/workspaces';
  const properties = { 'dc:title': 'Owls', 'file:content': { content: 'the bytes', name: 'owls.txt' } };
  await post(server.url, parent, { 'entity-type': 'document', type: 'File', name: 'owls', properties });
  answers = await answersOf(server);
  backedUp = await quireProcess(['backup', file], settings);
  await server[Symbol.asyncDispose]();
});

describe('quire backup', () => {
  test('prints what is in the file, which its owner alone may read', async () => {
    expect(backedUp).toMatchObject({ code: 0, err: '' });
    expect(backedUp.out).toMatch(new RegExp(`^Backed up \\d+ rows, 1 blobs of 9 bytes to ${file}\n$`));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('replaces no file unless it is forced to', async () => {
    const other = join(newFolder(), 'other.backup');
    await writeFile(other, 'precious');
    const refused = await command('backup', [other]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toBe(`${other} exists. Choose another name, or add --force.\n`);
    expect(await readFile(other, 'utf8')).toBe('precious');
    expect(await command('backup', [other, '--force'])).toMatchObject({ code: 0 });
    expect((await readFile(other)).readUInt16BE()).toBe(0x1f8b); // gzip
  });

  test('reports a folder that does not exist', async () => {
    const { code, err } = await command('backup', [join(newFolder(), 'none', 'x.backup')]);
    expect(code).toBe(1);
    expect(err).toMatch(/^ENOENT: .*none\/x\.backup/);
  });

  test('reports that blobs are missing, with a code of its own', async () => {
    const dataDir = newFolder();
    await using other = await processSettings();
    expect(await command('restore', [file], other.settings)).toMatchObject({ code: 0 });
    const withoutBlobs = { ...other.settings, DATA_DIR: dataDir };
    const blobs = join(withoutBlobs.DATA_DIR ?? '', 'blobs');
    await rm(blobs, { recursive: true, force: true });
    const { code, err } = await command('backup', [join(dataDir, 'x.backup')], withoutBlobs);
    expect(code).toBe(3);
    expect(err).toMatch(/^Missing or damaged in the blob store:\n {2}[\da-f]{64}\n$/);
  });
});

describe('quire restore', () => {
  test('makes a server that answers the same, with the same token key', async () => {
    await using other = await processSettings();
    const restored = await quireProcess(['restore', file], other.settings);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(restored.out).toMatch(/^Restored \d+ rows, 1 blobs of 9 bytes from /);
    const keys = [settings, other.settings].map(({ DATA_DIR = '' }) =>
      readFile(join(DATA_DIR, 'token-key'), 'utf8'),
    );
    const [before, after] = await Promise.all(keys);
    expect(after).toBe(before);
    await using server = await serve(other.settings);
    expect(await answersOf(server)).toEqual(answers);
    const content = await ask(server.url, '/api/v1/path/default-domain/workspaces/owls/@blob/file:content');
    expect(await content.text()).toBe('the bytes');
  });

  test('keeps TOKEN_KEY where it is set', async () => {
    await using other = await processSettings();
    const given: Record<string, string> = { ...other.settings, TOKEN_KEY: 'another key of some length' };
    const { code, err } = await command('restore', [file], given);
    expect(code).toBe(0);
    expect(err).toBe('TOKEN_KEY differs from the key of the backup, so its OAuth tokens cannot be used.\n');
    await expect(stat(join(given.DATA_DIR ?? '', 'token-key'))).rejects.toThrow(/ENOENT/);
  });

  test('refuses a database that is not empty, unless --replace is given', async () => {
    await using other = await processSettings({ isStocked: true });
    const refused = await command('restore', [file], other.settings);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^The database is not empty: its table \w+ has rows/);
    expect(await command('restore', [file, '--replace'], other.settings)).toMatchObject({ code: 0, err: '' });
  });

  test.each(['the byteS', 'the'])('replaces a blob that has become %j in the store', async (damaged) => {
    await using other = await processSettings();
    expect(await command('restore', [file], other.settings)).toMatchObject({ code: 0 });
    const digest = createHash('sha256').update('the bytes').digest('hex');
    await writeFile(join(other.settings.DATA_DIR ?? '', 'blobs', placeOf(digest)), damaged);
    const check = () => quire(['check', 'blobs', '--digests'], other.settings);
    expect(await check()).toMatchObject({ code: 3 });
    expect(await command('restore', [file, '--replace'], other.settings)).toMatchObject({ code: 0 });
    expect(await check()).toMatchObject({ code: 0, out: 'Faults: blobs 0\n' });
  });

  test.each([
    ['no file', 2, [], /missing required argument 'file'/],
    ['a missing file', 1, ['/none'], /^\/none does not exist\.\n$/],
    [
      'another file',
      1,
      [import.meta.filename],
      /^\S+ is damaged, truncated or not a backup: incorrect header check\n$/,
    ],
  ])('reports %s on stderr without a stack, and exits with %d', async (_, wantedCode, args, wanted) => {
    await using other = await processSettings();
    const { code, out, err } = await command('restore', args, other.settings);
    expect({ code, out }).toEqual({ code: wantedCode, out: '' });
    expect(err).toMatch(wanted);
    expect(err).not.toMatch(/^ {4}at /m);
  });
});
