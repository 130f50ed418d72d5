import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd, toTheEnd } from './closing.ts';
import { filesInFolders } from './files-in-folders.ts';
import { authorization, startOurs } from './ours.ts';
import { execute, startPostgres } from './postgres.ts';

/** The numbers of documents in the folders that the benchmark moves, copies, trashes and deletes. */
const sizes = [10_000, 100_000];
const perFolder = 99;

interface Server {
  readonly url: string;
  readonly pid: number;
}

const workspaces = '/default-domain/workspaces';

async function post(server: Server, path: string, body: object): Promise<Response> {
  const headers = { authorization, 'content-type': 'application/json' };
  const url = `${server.url}/api/v1${path}`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

const createFolder = (server: Server, name: string): Promise<Response> =>
  post(server, `/path${workspaces}`, { 'entity-type': 'document', name, type: 'Folder', properties: {} });

/** Returns the resident memory of a process in MB; NaN if the system does not report it. */
async function memory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Runs an operation, and prints how long it takes and how much memory it uses. */
async function measure(server: Server, rows: number, operation: string, input: string, params: object = {}) {
  const [start, before] = [performance.now(), await memory(server.pid)];
  const response = await post(server, `/automation/Document.${operation}`, { input, params });
  await response.text();
  const seconds = (performance.now() - start) / 1000;
  const statements = /desc="(\d+)"/.exec(response.headers.get('server-timing') ?? '')?.[1];
  const grown = (await memory(server.pid)) - before;
  console.log(
    `${operation} of ${rows}: ${seconds.toFixed(1)} s, ${(rows / seconds).toFixed(0)} rows/s, ${statements} statements, ` +
      `memory growth ${grown.toFixed(0)} MB`,
  );
}

async function measureAll(server: Server, databaseUrl: string, rows: number): Promise<void> {
  const [source, target] = [`from-${rows}`, `to-${rows}`];
  await createFolder(server, source);
  await createFolder(server, target);
  const [into, users] = [`${workspaces}/${target}`, ['Administrator']];
  await post(server, '/automation/Document.AddPermission', {
    input: into,
    params: { users, permission: 'Read' },
  });
  await execute(databaseUrl, filesInFolders(`${workspaces}/${source}`, rows / (perFolder + 1), perFolder));
  await execute(databaseUrl, 'VACUUM ANALYZE');
  await measure(server, rows, 'Copy', `${workspaces}/${source}`, { target: into, name: 'copy' });
  await measure(server, rows, 'Move', `${workspaces}/${source}`, { target: into });
  await measure(server, rows, 'Trash', `${into}/${source}`);
  await measure(server, rows, 'Delete', `${into}/copy`);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const server = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  for (const rows of sizes) await measureAll(server, databaseUrl, rows);
}

await toTheEnd(main);
