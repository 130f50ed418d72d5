/** @group slow, long */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { readConfig } from '../../src/config.ts';
import type { EmbeddedSettings } from '../../src/embedded/attach.ts';
import { makeEmbeddedFolder, writeHostAddress } from '../../src/embedded/files.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import { isRunning } from '../../src/process-state.ts';
import { quire } from '../cli/run-quire.ts';
import { ask, kill, printing, type Running, run, serve } from '../db/processes.ts';
import { attachEmbedded } from '../support/embedded.ts';
import { newFolder } from '../support/folder.ts';
import { query } from '../support/query.ts';
import { until } from '../support/until.ts';

const postPath = async (url: string, name: string): Promise<number> => {
  const body = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name });
  return (await ask(url, '/api/v1/path/', { method: 'POST', body })).status;
};

const statusOf = async (url: string, name: string): Promise<number> =>
  (await ask(url, `/api/v1/path/${name}`)).status;

const clusterOf = (dataDir: string): string => join(dataDir, 'embedded', 'postgresql-18');

const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);

const hostOf = (dataDir: string): number => Number(readFileSync(join(dataDir, 'lock'), 'utf8').split(' ')[0]);

/** What the first server of a data folder made, for tests that need no first start: a copy takes less time. */
let begun: ReturnType<typeof beginFolder> | undefined;

async function beginFolder() {
  const dataDir = newFolder();
  const server = await serve({ DATA_DIR: dataDir });
  const [postmaster, host] = [postmasterOf(dataDir), hostOf(dataDir)];
  server.child.kill('SIGTERM');
  const ended = await server.ended;
  const isPostmasterLeft = isRunning(postmaster);
  await until(() => !isRunning(host));
  return { dataDir, said: server.printed.out, ended, isPostmasterLeft };
}

async function begunFolder(): Promise<string> {
  begun ??= beginFolder();
  const dataDir = newFolder();
  execFileSync('cp', ['-a', `${(await begun).dataDir}/.`, dataDir]); // with the owners
  return dataDir;
}

const attach = new URL('../../dist/embedded/attach.js', import.meta.url).href;
const program = `
  import { attachEmbedded } from ${JSON.stringify(attach)};
  console.log((await attachEmbedded(JSON.parse(process.argv[1]))).url);
  setInterval(() => {}, 60_000);`;

/** Starts a process that attaches as a server does, in a tenth of its time. */
function startAttaching(settings: EmbeddedSettings): Running {
  const args = ['--input-type=module', '--eval', program, JSON.stringify(settings)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    printed.out += chunk.toString();
  });
  return { child, printed, ended: once(child, 'close').then(([code, signal]) => ({ code, signal })) };
}

async function attaching(settings: EmbeddedSettings): Promise<Running & { url: string }> {
  const running = startAttaching(settings);
  const [url] = await printing(running, /postgres\S+/);
  return { ...running, url };
}

/** Attaches to a data folder until the end of the block. */
async function attached(dataDir: string) {
  const embedded = await attachEmbedded({ dataDir });
  return { ...embedded, [Symbol.asyncDispose]: embedded.close };
}

describe('The embedded PostgreSQL', () => {
  test('is named in the log, and ends before the server does on SIGTERM', async () => {
    begun ??= beginFolder();
    const { dataDir, said, ended, isPostmasterLeft } = await begun;
    expect(said).toContain(`PostgreSQL 18.4 runs on ${clusterOf(dataDir)}`);
    expect(ended).toEqual({ code: 0, signal: null });
    expect(isPostmasterLeft).toBe(false);
    expect(existsSync(join(clusterOf(dataDir), 'postmaster.pid'))).toBe(false);
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

  test('that is left over without a host is ended and started by the next process', async () => {
    const dataDir = await begunFolder();
    const first = await attaching({ dataDir });
    await query(first.url, 'CREATE TABLE kept ()');
    const [host, postmaster] = [hostOf(dataDir), postmasterOf(dataDir)];
    first.child.kill('SIGSTOP'); // or it would start another host
    process.kill(host, 'SIGKILL');
    await kill(first);
    expect(isRunning(postmaster)).toBe(true);
    await using next = await attached(dataDir);
    expect(isRunning(postmaster)).toBe(false);
    expect(await query(next.url, 'SELECT FROM kept')).toEqual([]);
  });

  test('starts when a silent program listens at the port of a host that was killed', async () => {
    const dataDir = await begunFolder();
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    makeEmbeddedFolder(dataDir);
    writeHostAddress(join(dataDir, 'embedded'), { port, token: 'of a host that was killed' });
    await using embedded = await attached(dataDir);
    expect(await query(embedded.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await new Promise((resolve) => silent.close(resolve));
  });

  test('starts again when all but a connection that runs a statement was killed', async () => {
    const dataDir = await begunFolder();
    const first = await attaching({ dataDir });
    await query(first.url, 'CREATE TABLE kept ()');
    const statement = "SELECT count(*) FROM generate_series(1, 1e9) AS n WHERE n::text LIKE '%a%'";
    const client = new pg.Client({ connectionString: first.url });
    client.on('error', () => {}); // it is disconnected
    await client.connect();
    const [{ pid }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows;
    const cut = expect(client.query(statement)).rejects.toThrow();
    const active = `SELECT FROM pg_stat_activity WHERE pid = ${pid} AND state = 'active'`;
    await until(async () => (await query(first.url, active)).length > 0);
    for (const victim of [hostOf(dataDir), postmasterOf(dataDir)]) process.kill(victim, 'SIGKILL');
    await kill(first);
    expect(isRunning(pid)).toBe(true);
    await using next = await attached(dataDir);
    await cut;
    expect(isRunning(pid)).toBe(false);
    expect(await query(next.url, 'SELECT FROM kept')).toEqual([]);
  });

  test('is shared by commands and servers, ends with the last of them, and keeps what was acknowledged', async () => {
    const dataDir = await begunFolder();
    const starting = [serve({ DATA_DIR: dataDir }), serve({ DATA_DIR: dataDir })];
    const [one, other] = await Promise.all(starting);
    if (!one || !other) throw new Error('two servers were started');
    expect(await postPath(one.url, 'shared')).toBe(201);
    expect(await statusOf(other.url, 'shared')).toBe(200);
    expect(await quire(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    const pids = [postmasterOf(dataDir), hostOf(dataDir)];
    await kill(one);
    expect(await postPath(other.url, 'alone')).toBe(201);
    expect(pids.map(isRunning)).toEqual([true, true]);
    await kill(other);
    await until(() => !pids.some(isRunning));
    await using next = await attached(dataDir);
    const kept = await query(next.url, "SELECT name FROM document WHERE path = '/alone'");
    expect(kept).toEqual([{ name: 'alone' }]);
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

  test('admits as many connections as the settings of its first process need', async () => {
    const dataDir = await begunFolder();
    const config = readConfig({ DATA_DIR: dataDir, DATABASE_CONNECTIONS: '500' });
    const { database, url } = await openDatabase(config);
    const [shown] = (await query(url, 'SHOW max_connections')) as Array<{ max_connections: string }>;
    expect(Number(shown?.max_connections)).toBeGreaterThan(500 + 3 + 500 + 3); // and those of a command
    await database.close();
  });

  test('reports a port in use, by the name of the setting', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const dataDir = await begunFolder();
    const settings = { PORT: '0', DATA_DIR: dataDir, EMBEDDED_PORT: String(port) };
    const refused = run('src/serve.ts', settings);
    expect(await refused.ended).toEqual({ code: 1, signal: null });
    expect(refused.printed.err).toBe(
      `Quire cannot start:\nPort ${port} of 127.0.0.1 is in use. Set EMBEDDED_PORT to another port.\n`,
    );
    await until(() => !existsSync(join(dataDir, 'lock')));
    await new Promise((resolve) => other.close(resolve));
  });
});

test('A server where PostgreSQL cannot run ends with the reason and the two ways out', async () => {
  // Initdb passes it to a shell.
  const refused = run('src/serve.ts', { PORT: '0', DATA_DIR: join(newFolder(), 'a$b') });
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(refused.printed.err).toMatch(
    /^Quire cannot start:\nThe embedded PostgreSQL cannot run here: initdb failed: .*Set DATABASE_URL to a PostgreSQL server, or run Quire on a system/s,
  );
});

test('A server on a folder of the PGlite engine of earlier versions ends with what to do', async () => {
  const dataDir = newFolder();
  mkdirSync(join(dataDir, 'postgres'));
  const refused = run('src/serve.ts', { PORT: '0', DATA_DIR: dataDir });
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(refused.printed.err).toContain('Back it up with Quire 0.1 (npx quire backup FILE)');
  expect(existsSync(clusterOf(dataDir))).toBe(false);
});

test('A host that no process reaches ends by itself', async () => {
  const dataDir = await begunFolder();
  rmSync(join(dataDir, 'embedded', 'url'));
  const host = new URL('../../dist/embedded/host.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [host, dataDir], { stdio: 'ignore' });
  await until(() => existsSync(join(dataDir, 'embedded', 'url')));
  const postmaster = postmasterOf(dataDir);
  expect(isRunning(postmaster)).toBe(true);
  await until(() => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
  expect(isRunning(postmaster)).toBe(false);
});
