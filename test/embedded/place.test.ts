import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { isRoot } from '../../src/embedded/files.ts';
import { ask, kill, printing, type RunningServer, run, serve } from '../db/processes.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const placeOf = (dataDir: string): string =>
  join('/var/lib/quire', readFileSync(join(dataDir, 'embedded', 'id'), 'utf8').trim());

const used: string[] = [];

/** A folder that only root can enter; its data folder has a place outside, which goes after the test. */
function closedFolder(): string {
  const folder = newFolder();
  chmodSync(folder, 0o700);
  return folder;
}

async function stop(server: RunningServer, dataDir: string): Promise<void> {
  await kill(server);
  await until(() => !existsSync(join(dataDir, 'lock')));
}

const postFolder = async (url: string): Promise<number> => {
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name: 'kept' });
  return (await ask(url, '/api/v1/path/', { method: 'POST', body })).status;
};

const statusOf = async (url: string): Promise<number> => (await ask(url, '/api/v1/path/kept')).status;

async function serveAt(dataDir: string): Promise<RunningServer> {
  const server = await serve({ DATA_DIR: dataDir, EMBEDDED_ENGINE: 'postgresql' });
  used.push(placeOf(dataDir));
  return server;
}

async function failure(dataDir: string): Promise<string> {
  const { ended, printed } = run('src/server.ts', { PORT: '0', DATA_DIR: dataDir });
  expect(await ended).toEqual({ code: 1, signal: null });
  return printed.err;
}

afterEach(async () => {
  for (const folder of used) await until(() => !existsSync(join(folder, 'postgresql-18', 'postmaster.pid')));
  for (const folder of used.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const title = isRoot()
  ? 'Root below a folder that only root can enter'
  : 'Root below a folder that only root can enter (SKIPPED: this account is another one)';

(isRoot() ? describe : describe.skip)(title, () => {
  test('has the database below /var/lib/quire, and the log says so', async () => {
    const dataDir = join(closedFolder(), 'data');
    const server = await serveAt(dataDir);
    const place = placeOf(dataDir);
    expect(server.printed.out).toContain(
      `PostgreSQL 18.4 runs on ${place}/postgresql-18, since PostgreSQL refuses to run as root, and only root can enter`,
    );
    expect(statSync(join(place, 'postgresql-18')).mode & 0o777).toBe(0o700);
    expect(statSync(place).mode & 0o066).toBe(0);
    expect(await postFolder(server.url)).toBe(201);
    await stop(server, dataDir);
    await using again = await serveAt(dataDir);
    expect(await statusOf(again.url)).toBe(200);
  });

  test('has another database once the data folder was deleted', async () => {
    const dataDir = join(closedFolder(), 'data');
    const server = await serveAt(dataDir);
    expect(await postFolder(server.url)).toBe(201);
    await stop(server, dataDir);
    rmSync(dataDir, { recursive: true });
    await using next = await serveAt(dataDir);
    expect(new Set(used).size).toBe(2);
    expect(await statusOf(next.url)).toBe(404);
  });

  test('never shares a database with a copy of the data folder, which a moved one keeps', async () => {
    const folder = closedFolder();
    const [dataDir, copy, moved] = ['data', 'copy', 'moved'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const server = await serveAt(dataDir);
    expect(await postFolder(server.url)).toBe(201);
    cpSync(dataDir, copy, { recursive: true });
    rmSync(join(copy, 'lock'));
    expect(await failure(copy)).toContain(`is a copy of ${dataDir}/embedded, whose database is in`);
    expect(await statusOf(server.url)).toBe(200);
    await stop(server, dataDir);
    renameSync(dataDir, moved);
    await using again = await serveAt(moved);
    expect(await statusOf(again.url)).toBe(200);
  });

  test('does not start on an empty database in place of one that is gone', async () => {
    const dataDir = join(closedFolder(), 'data');
    await stop(await serveAt(dataDir), dataDir);
    rmSync(placeOf(dataDir), { recursive: true });
    expect(await failure(dataDir)).toContain(`was in ${placeOf(dataDir)}, which is gone: bring it back, or`);
  });
});

const umaskTitle = isRoot()
  ? 'Root with the umask 077 has a PostgreSQL'
  : 'Root with the umask 077 has a PostgreSQL (SKIPPED: this account is another one)';

(isRoot() ? test : test.skip)(umaskTitle, async () => {
  const dataDir = join(newFolder(), 'data');
  mkdirSync(dataDir);
  const before = process.umask(0o077);
  const running = run('src/server.ts', { PORT: '0', DATA_DIR: dataDir });
  process.umask(before);
  await printing(running, /Quire serves/);
  await kill(running);
  expect(running.printed.out).toContain('PostgreSQL 18.4 runs on');
});
