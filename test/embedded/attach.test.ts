import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { makeEmbeddedFolder, writeHostAddress } from '../../src/embedded/files.ts';
import { isRunning } from '../../src/embedded/process-state.ts';
import { ask, kill, run, serve } from '../db/processes.ts';
import { attachEmbedded, copyData } from '../support/embedded.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const postPath = async (url: string, name: string): Promise<number> => {
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name });
  return (await ask(url, '/api/v1/path/', { method: 'POST', body })).status;
};

const statusOf = async (url: string, name: string): Promise<number> =>
  (await ask(url, `/api/v1/path/${name}`)).status;

/** What the first server of a data folder made, for tests that need no first start: a copy takes less time. */
let begun: Promise<string> | undefined;

async function beginFolder(): Promise<string> {
  const dataDir = newFolder();
  const { child, ended } = await serve({ DATA_DIR: dataDir });
  child.kill('SIGTERM');
  await ended;
  await until(() => !existsSync(join(dataDir, 'lock')));
  return dataDir;
}

async function begunFolder(): Promise<string> {
  begun ??= beginFolder();
  const dataDir = newFolder();
  execFileSync('cp', ['-a', `${await begun}/.`, dataDir]); // with the owners
  return dataDir;
}

const clusterOf = (dataDir: string): string => join(dataDir, 'embedded', 'postgresql-18');

const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);

const hostOf = (dataDir: string): number => Number(readFileSync(join(dataDir, 'lock'), 'utf8').split(' ')[0]);

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('The embedded PostgreSQL', () => {
  test('ends when the server is killed, and the next start serves what was acknowledged', async () => {
    const dataDir = await begunFolder();
    const first = await serve({ DATA_DIR: dataDir });
    expect(await postPath(first.url, 'kept')).toBe(201);
    const pids = [postmasterOf(dataDir), hostOf(dataDir)];
    expect(pids.map(isRunning)).toEqual([true, true]);
    await kill(first);
    await until(() => !pids.some(isRunning));
    await using next = await serve({ DATA_DIR: dataDir });
    expect(await statusOf(next.url, 'kept')).toBe(200);
  }, 240_000); // a busy machine takes half a minute for each start

  test('is named in the log, and ends before the server does on SIGTERM', async () => {
    const dataDir = await begunFolder();
    const server = await serve({ DATA_DIR: dataDir });
    expect(server.printed.out).toContain(`PostgreSQL 18.4 runs on ${clusterOf(dataDir)}`);
    const pids = [postmasterOf(dataDir), hostOf(dataDir)];
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(isRunning(pids[0] ?? 0)).toBe(false);
    expect(existsSync(join(clusterOf(dataDir), 'postmaster.pid'))).toBe(false);
    await until(() => !isRunning(pids[1] ?? 0));
  });

  test('is started again when it is killed, alone or with its host, and nothing is lost', async () => {
    const dataDir = await begunFolder();
    await using server = await serve({ DATA_DIR: dataDir });
    expect(await postPath(server.url, 'before')).toBe(201);
    process.kill(postmasterOf(dataDir), 'SIGKILL');
    await until(async () => (await statusOf(server.url, 'before')) === 200);
    const [host, postmaster] = [hostOf(dataDir), postmasterOf(dataDir)];
    process.kill(host, 'SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await until(async () => (await statusOf(server.url, 'before')) === 200);
    expect(await postPath(server.url, 'after')).toBe(201);
  });

  test('that is left over without a host is ended and started by the next server', async () => {
    const dataDir = await begunFolder();
    const server = await serve({ DATA_DIR: dataDir });
    expect(await postPath(server.url, 'kept')).toBe(201);
    const [host, postmaster] = [hostOf(dataDir), postmasterOf(dataDir)];
    server.child.kill('SIGSTOP'); // or it would start another host
    process.kill(host, 'SIGKILL');
    await kill(server);
    expect(isRunning(postmaster)).toBe(true);
    await using next = await serve({ DATA_DIR: dataDir });
    expect(isRunning(postmaster)).toBe(false);
    expect(await statusOf(next.url, 'kept')).toBe(200);
  });

  test('starts when a silent program listens at the port of a host that was killed', async () => {
    const dataDir = newFolder();
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    makeEmbeddedFolder(dataDir);
    writeHostAddress(join(dataDir, 'embedded'), { port, token: 'of a host that was killed' });
    await using server = await serve({ DATA_DIR: dataDir });
    expect(await postPath(server.url, 'served')).toBe(201);
    await new Promise((resolve) => silent.close(resolve));
  });

  test('starts again when all but a connection that runs a statement was killed', async () => {
    const dataDir = await begunFolder();
    const server = await serve({ DATA_DIR: dataDir });
    expect(await postPath(server.url, 'kept')).toBe(201);
    const database = readFileSync(join(dataDir, 'embedded', 'url'), 'utf8').trim();
    const statement = "SELECT count(*) FROM generate_series(1, 1e9) AS n WHERE n::text LIKE '%a%'";
    const client = new pg.Client({ connectionString: database });
    client.on('error', () => {}); // it is disconnected
    await client.connect();
    const [{ pid }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows;
    const cut = expect(client.query(statement)).rejects.toThrow();
    const active = `SELECT FROM pg_stat_activity WHERE pid = ${pid} AND state = 'active'`;
    await until(async () => (await query(database, active)).length > 0);
    for (const victim of [hostOf(dataDir), postmasterOf(dataDir)]) process.kill(victim, 'SIGKILL');
    await kill(server);
    expect(isRunning(pid)).toBe(true);
    await using next = await serve({ DATA_DIR: dataDir });
    await cut;
    expect(isRunning(pid)).toBe(false);
    expect(await statusOf(next.url, 'kept')).toBe(200);
  });

  test('is shared by commands and servers, and ends with the last of them', async () => {
    const dataDir = await begunFolder();
    const starting = [serve({ DATA_DIR: dataDir }), serve({ DATA_DIR: dataDir })];
    const [one, other] = await Promise.all(starting);
    if (!one || !other) throw new Error('two servers were started');
    expect(await postPath(one.url, 'shared')).toBe(201);
    expect(await statusOf(other.url, 'shared')).toBe(200);
    const migrated = run('src/cli/quire.ts', { DATA_DIR: dataDir }, ['migrate']);
    expect((await migrated.ended).code).toBe(0);
    const postmaster = postmasterOf(dataDir);
    await kill(one);
    expect(await postPath(other.url, 'alone')).toBe(201);
    expect(isRunning(postmaster)).toBe(true);
    await kill(other);
    await until(() => !isRunning(postmaster));
  });

  test('asks for the password, and no other user reads its files', async () => {
    const dataDir = await begunFolder();
    await using embedded = await attached(dataDir);
    const url = new URL(embedded.url);
    expect(url.hostname).toBe('127.0.0.1');
    url.password = 'other';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(await query(embedded.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    const folder = join(dataDir, 'embedded');
    expect(statSync(clusterOf(dataDir)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) {
      const stats = statSync(join(folder, name));
      const isProgram = name.startsWith('programs-');
      if (!isProgram) expect([name, stats.mode & 0o066]).toEqual([name, 0]);
    }
    const address = readFileSync(join(folder, 'url'), 'utf8').trim();
    expect(address).toBe(embedded.url);
    const processes = execFileSync('ps', ['-ww', '-eo', 'args'], { encoding: 'utf8' });
    expect(processes).not.toContain(new URL(embedded.url).password);
  });

  test('admits as many connections as the settings of its first server need', async () => {
    const dataDir = await begunFolder();
    await using _ = await serve({ DATA_DIR: dataDir, DATABASE_CONNECTIONS: '500' });
    const url = readFileSync(join(dataDir, 'embedded', 'url'), 'utf8').trim();
    const [shown] = (await query(url, 'SHOW max_connections')) as Array<{ max_connections: string }>;
    expect(Number(shown?.max_connections)).toBeGreaterThan(500 + 3 + 500 + 3); // and those of a command
  });

  test('reports a port in use, by the name of the setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const settings = { PORT: '0', DATA_DIR: await begunFolder(), EMBEDDED_PORT: String(port) };
    const refused = run('src/server.ts', settings);
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(refused.printed.err).toBe(
      `Quire cannot start:\nport ${port} of 127.0.0.1 is in use: set another EMBEDDED_PORT\n`,
    );
    await new Promise((resolve) => other.close(resolve));
  });
});

/** Attaches to a data folder until the end of the block. */
async function attached(dataDir: string) {
  const embedded = await attachEmbedded({ dataDir, engine: 'postgresql' });
  return { ...embedded, [Symbol.asyncDispose]: embedded.close };
}

describe('The fallback', () => {
  test('serves, and its rows are carried over to PostgreSQL once that runs', async () => {
    const dataDir = newFolder();
    const first = await serve({ DATA_DIR: dataDir, EMBEDDED_ENGINE: 'pglite', WORKERS: '2' });
    expect(first.printed.out).toContain('PGlite, the fallback, runs on');
    expect(first.printed.out).toContain('WORKERS has no effect');
    expect(first.printed.out).toContain('since EMBEDDED_ENGINE asks for it: it has one connection');
    expect(await postPath(first.url, 'carried')).toBe(201);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    const copy = newFolder();
    first.child.kill('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null });
    await until(() => !existsSync(join(dataDir, 'lock')));
    await copyData(dataDir, copy);

    await using next = await serve({ DATA_DIR: dataDir });
    expect(next.printed.out).toContain('PostgreSQL 18.4 runs on');
    expect(await statusOf(next.url, 'carried')).toBe(200);
    expect(await postPath(next.url, 'later')).toBe(201);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    // Never silently an empty database: the rows are PostgreSQL's now.
    await kill(next);
    const back = run('src/server.ts', { PORT: '0', DATA_DIR: dataDir, EMBEDDED_ENGINE: 'pglite' });
    expect(await back.ended).toEqual({ code: 1, signal: null });
    expect(back.printed.err).toContain('PostgreSQL holds the rows of');
    await interruptedCarryOver(copy);
  }, 240_000);

  test('ends with its server, killed or not', async () => {
    const dataDir = newFolder();
    const server = await serve({ DATA_DIR: dataDir, EMBEDDED_ENGINE: 'pglite' });
    const pid = Number(readFileSync(join(dataDir, 'embedded', 'lock'), 'utf8').split(' ')[0]);
    expect(isRunning(pid)).toBe(true);
    await kill(server);
    await until(() => !isRunning(pid));
  });
});

/** A start that is killed while it carries rows over leaves the old folder as it is; the next one begins anew. */
async function interruptedCarryOver(dataDir: string): Promise<void> {
  const killed = run('src/server.ts', { PORT: '0', DATA_DIR: dataDir });
  const pidFile = join(dataDir, 'embedded', 'unfinished', 'cluster', 'postmaster.pid');
  await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('ready'));
  process.kill(hostOf(dataDir), 'SIGKILL');
  await kill({ ...killed, url: '' } as never);
  // On a slow machine all may be carried over by then.
  expect(existsSync(join(dataDir, 'postgres')) || existsSync(clusterOf(dataDir))).toBe(true);
  await using server = await serve({ DATA_DIR: dataDir });
  expect(await statusOf(server.url, 'carried')).toBe(200);
}

test('A host that no process reaches ends by itself', async () => {
  const dataDir = newFolder();
  const program = new URL('../../dist/embedded/host.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, dataDir, '', 'postgresql'], { stdio: 'ignore' });
  await until(() => existsSync(join(dataDir, 'embedded', 'url')));
  const postmaster = postmasterOf(dataDir);
  expect(isRunning(postmaster)).toBe(true);
  await until(() => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
  expect(isRunning(postmaster)).toBe(false);
});
