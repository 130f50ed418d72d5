/** @group slow */
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { namespace, startOf } from '../../src/process-state.ts';
import { kill, printing, processSettings, run, serve } from '../db/processes.ts';
import { beginUpload, send } from '../rest/uploads/upload-requests.ts';
import { useServer } from '../support/server.ts';
import { mayMountAsRoot } from '../support/small-disk.ts';

const server = useServer();
const workspaces = '/api/v1/path/default-domain/workspaces';

const create = (name: string, content: object) =>
  server.request.post(workspaces).send({
    'entity-type': 'document',
    type: 'File',
    name,
    properties: { 'file:content': content },
  });

describe('§7 a folder of the files that cannot be used', () => {
  test.each([
    ['is not there', 'ENOENT', async () => {}],
    ['is a file', 'ENOTDIR', (folder: string) => writeFile(folder, '')],
    ['is a symbolic link to itself', 'ELOOP', (folder: string) => symlink(folder, folder)],
    ['is empty', 'ENOENT', (folder: string) => mkdir(folder)],
  ] as const)('answers 503 to all that needs it when it %s, until it can be used', async (_, code, put) => {
    const folder = join(server.dataDir, 'blobs');
    const batch = await beginUpload(server.request);
    await send(server.request, batch, 0, { content: 'uploaded before' }).expect(201);
    const { body: file } = await create('before', { content: 'the text', name: 'a.txt' }).expect(201);
    await rename(folder, `${folder}.away`);
    await put(folder);
    const uploaded = { 'upload-batch': batch, 'upload-fileId': '0' };
    const chunk = { index: 0, count: 2, size: 10 };
    const path = `/api/v1/id/${file.uid}`;
    const form = () =>
      server.request
        .post('/api/v1/automation/FileManager.Import')
        .field('params', JSON.stringify({ context: { currentDocument: '/default-domain/workspaces' } }))
        .attach('input', Buffer.from('of a form'), 'form.txt');
    const requests = {
      upload: () => send(server.request, batch, 1, { content: 'never' }),
      chunk: () => send(server.request, batch, 2, { content: 'never', chunk }),
      form,
      content: () => create('never', { content: 'never' }),
      used: () => create('never', uploaded),
      download: () => server.request.get(`${path}/@blob`),
      conversion: () => server.request.get(`${path}/@convert?type=text/html`),
    };
    for (const [name, request] of Object.entries(requests)) {
      const { status, body, headers } = await request();
      expect([name, status, body.message, headers['retry-after']]).toEqual([
        name,
        503,
        expect.stringMatching(`^The folder in which files are stored cannot be used \\(${code}\\)`),
        '5',
      ]);
    }
    await server.request.get(path).expect(200);
    await rm(folder, { recursive: true, force: true });
    await rename(`${folder}.away`, folder);
    await server.request.get(`${path}/@blob`).expect(200);
    await send(server.request, batch, 1, { content: 'again' }).expect(201);
    await create('after', uploaded).expect(201);
    expect(server.logged.filter(({ err }) => err !== undefined)).toEqual([]);
  });
});

const readOnly = mayMountAsRoot ? test : test.skip;

readOnly('a start with the embedded database on a read-only folder says so in one sentence', async () => {
  await using shared = await processSettings({});
  const folder = shared.settings.DATA_DIR ?? '';
  const script = `mount -t tmpfs -o size=1m,ro tmpfs '${folder}' && exec ${process.execPath} "$@"`;
  const { spawnSync } = await import('node:child_process');
  const { programArguments } = await import('../db/processes.ts');
  const program = programArguments('src/serve.ts');
  const started = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', ...program], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder },
    encoding: 'utf8',
  });
  expect(started.status).toBe(1);
  expect(started.stderr).toBe(
    `Quire cannot start:\nThe embedded database needs a writable data folder, but ${folder} is on a read-only file system. Set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server.\n`,
  );
});

test('a start removes the unfinished files of processes that have ended, and no others', async () => {
  await using shared = await processSettings({ isStocked: true });
  const unfinished = join(shared.settings.DATA_DIR ?? '', 'blobs', 'unfinished');
  await mkdir(unfinished, { recursive: true });
  const killed = run('src/serve.ts', { PORT: '0', ...shared.settings });
  const pid = killed.child.pid ?? 0;
  const ofKilled = [namespace(), pid, startOf(pid), 'upload'].join('.');
  await printing(killed, /Quire serves (\S+)/);
  await kill(killed);
  const ofThis = [namespace(), process.pid, startOf(process.pid), 'upload'].join('.');
  const elsewhere = ['0123456789abcdef', pid, '1', 'upload'].join('.');
  for (const name of [ofKilled, ofThis, elsewhere]) await writeFile(join(unfinished, name), 'half');
  await using _server = await serve(shared.settings);
  expect((await readdir(unfinished)).sort()).toEqual([ofThis, elsewhere].sort());
});
