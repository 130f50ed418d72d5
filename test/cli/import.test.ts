/** @group slow */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { lockFolder } from '../../src/embedded/folder-lock.ts';
import { useProcessSettings } from '../db/processes.ts';
import { newFolder } from '../support/folder.ts';
import { quire, quireProcess } from './run-quire.ts';

const folder = newFolder();
const files = join(folder, 'files');
const dataDir = join(folder, 'data');
const settings = useProcessSettings();
beforeAll(async () => {
  await mkdir(files);
  await writeFile(join(files, 'note'), 'text');
  await writeFile(join(files, 'blob'), 'a\0b');
  await symlink('nowhere', join(files, 'dangling'));
});

const run = (args: readonly string[], more: Record<string, string> = {}, input = '') =>
  quire(['import', ...args], { ...settings, ...more }, input);

describe('quire import', () => {
  test('imports into a missing data folder', async () => {
    const first = await quireProcess(['import', relative('.', files).concat('/')], { DATA_DIR: dataDir });
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain(
      '3 documents created (1 Folder, 1 File, 1 Note), 0 already existed, 1 not imported',
    );
    expect(first.out).toContain(`Not imported:\n  ${folder}/files/dangling: a broken symbolic link\n`);
  });

  test('imports a second time without duplicates', async () => {
    await run([files]);
    const again = await run([files]);
    expect(again.code).toBe(0);
    expect(again.out).toContain(
      '0 documents created (0 Folder, 0 File, 0 Note), 3 already existed, 1 not imported',
    );
  });

  test('requires an existing, folderish target document', async () => {
    const missing = await run([files, '--to', '/nowhere']);
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(missing.err).toBe('There is no document at /nowhere in the repository default.\n');

    await run([files, '--to', '/']);
    const note = await run([files, '--to', '/files/note']);
    expect(note).toMatchObject({ code: 1, err: '/files/note is a Note, not a folder.\n' });
  });

  test('imports lines of a file and of the standard input, and says how far it came', async () => {
    const path = '/default-domain/workspaces/lines';
    const lines = [
      { path, type: 'Folder' },
      { path: `${path}/a`, type: 'Note' },
    ].map((line) => JSON.stringify(line));
    const file = join(folder, 'documents.jsonl');
    await writeFile(file, lines.join('\n'));
    const first = await run(['--jsonl', file]);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(
      /^2 documents created, 0 already existed, in .*: all lines up to 2 were imported\n$/,
    );

    const again = await run(['--jsonl', file]);
    expect(again).toMatchObject({
      code: 1,
      err: `line 1: ${path}: a document already exists at this path\n`,
    });
    expect(again.out).toContain('0 documents created, 0 already existed');
    expect(again.out).toContain(': no lines were imported\n');

    const more = [...lines, JSON.stringify({ path: `${path}/b`, type: 'Note' })].join('\n');
    const resumed = await run(['--jsonl', '-', '--skip-existing'], {}, more);
    expect(resumed.code).toBe(0);
    expect(resumed.out).toContain('1 documents created, 2 already existed');
  });

  test('checks the values of lines, unless --stored says that a server had stored them', async () => {
    const properties = { 'dc:title': 'x'.repeat(10_001), 'dc:nature': 'gone' };
    const path = '/default-domain/workspaces/stored';
    const line = JSON.stringify({ path, type: 'Note', properties });
    const refused = await run(['--jsonl', '-'], {}, line);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('line 1: dc:title: This value is longer than 10000 characters.'),
    });
    expect(await run(['--jsonl', '-', '--stored'], {}, line)).toMatchObject({ code: 0, err: '' });
    const unknown = JSON.stringify({ path, type: 'Note', properties: { 'dc:title': 1 } });
    expect(await run(['--jsonl', '-', '--stored'], {}, unknown)).toMatchObject({ code: 1 });
  });

  test('imports the folder that docs/import.md shows how to make', async () => {
    const page = await readFile(new URL('../../docs/import.md', import.meta.url), 'utf8');
    const shown = page.split('### An export of your own\n')[1]?.split('```sh\n')[1];
    const script = shown?.split('npx quire import site')[0] ?? '';
    await promisify(execFile)('sh', ['-ec', script], { cwd: folder });
    const site = join(folder, 'site');
    const imported = await run([site, '--to', '/default-domain/workspaces']);
    expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/^2 documents created/) });
    const exported = join(folder, 'exported');
    const again = await quire(['export', exported, '--path', '/default-domain/workspaces/site'], settings);
    expect(again).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^2 documents and 1 files/) });
    expect(await readFile(join(exported, 'documents.jsonl'), 'utf8')).toContain(
      '"path":"/default-domain/workspaces/site/a"',
    );

    const manifest = join(site, 'quire-export.json');
    const refusals = async (text: string) => {
      await writeFile(manifest, text);
      return (await run([site, '--to', '/default-domain/workspaces'])).err;
    };
    const known = { format: 'quire-export', version: 1 };
    const errors = [
      await refusals('{}'),
      await refusals('{'),
      await refusals(JSON.stringify(known)),
      await refusals(JSON.stringify({ ...known, version: 2, path: '/old/site' })),
      await refusals(JSON.stringify({ ...known, path: '/old/other' })),
    ];
    await rm(manifest);
    expect([...errors, (await run([site])).err]).toEqual([
      `${manifest}: format is missing\n`,
      expect.stringContaining(`${manifest}: it is not valid JSON: `),
      `${manifest}: path is missing\n`,
      `${manifest}: version: this release can read only version 1\n`,
      'line 1: path: "/old/site" is not below /old/other, the path in quire-export.json\n',
      `${site} is an incomplete export: it has documents.jsonl but not quire-export.json\n`,
    ]);
  });

  test.each([
    ['a folder', 2, [], "error: missing required argument 'folder'"],
    ['an existing folder', 1, ['gone'], 'gone is not a directory.'],
    ['a folder, not a file', 1, [join(files, 'note')], 'files/note is not a directory.'],
    ['a folder with a name', 1, ['/'], 'would have no name'],
    ['exactly one folder', 2, [files, files], 'error: too many arguments'],
    [
      'either a folder or lines',
      2,
      [files, '--jsonl', 'x'],
      'error: specify either a folder or --jsonl, not both',
    ],
    ['an existing file of lines', 1, ['--jsonl', 'gone'], 'gone does not exist.'],
    ['no target for lines', 2, ['--jsonl', '-', '--to', '/'], "'--to <path>'"],
    ['lines for stored values', 2, [files, '--stored'], 'error: --stored requires --jsonl'],
    ['lines for their option', 2, [files, '--skip-existing'], 'error: --skip-existing requires --jsonl'],
    ['an existing repository', 1, [files, '--repository', 'other'], 'There is no repository "other".'],
  ])('requires %s, or exits with %d', async (_, wanted, args, message) => {
    const { code, err } = await run(args);
    expect(code).toBe(wanted);
    expect(err).toContain(message);
  });

  test('names every fault of the settings', async () => {
    const { code, err } = await run([files], { PORT: 'x', TRANSACTION_TIMEOUT: '-1' });
    expect(code).toBe(1);
    expect(err).toMatch(/^PORT: .*\nTRANSACTION_TIMEOUT: .*\n$/);
  });

  test('names a process that has locked the data folder but runs no database in it', async () => {
    await mkdir(dataDir, { recursive: true });
    const letGo = lockFolder(dataDir);
    const { code, err } = await quire(['import', files], { DATA_DIR: dataDir }).finally(letGo);
    expect(code).toBe(1);
    expect(err).toContain(`${dataDir} is in use by process ${process.pid}: stop it first`);
  });

  test('reports a database server that cannot be reached', async () => {
    const { code, err } = await run([files], { DATABASE_URL: 'postgres://user@127.0.0.1:1/none' });
    expect(code).toBe(1);
    expect(err).toContain('ECONNREFUSED');
    expect(err).not.toContain('    at ');
  });

  test('prints its usage', async () => {
    const { code, out } = await run(['--help'], { PORT: 'x' });
    expect(code).toBe(0);
    expect(out).toContain('Usage: quire import [options] [folder]');
  });
});
