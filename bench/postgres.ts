import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { atEnd } from './closing.ts';
import { freePort } from './processes.ts';

/** A PostgreSQL server on which the benchmark can create databases. */
export interface Postgres {
  readonly version: string;
  /**
   * Creates a database that is dropped at the end.
   * @param template the database to copy, which must have no connections; the new one is empty when absent.
   * @returns its URL
   */
  readonly createDatabase: (template?: string) => Promise<string>;
}

const isRoot = process.getuid?.() === 0;

/** Runs a shell command, as the user `postgres` if this process runs as root, which PostgreSQL refuses. */
async function shell(command: string, input = ''): Promise<string> {
  const [program, ...words] = isRoot ? ['su', 'postgres', '-s', '/bin/sh', '-c'] : ['/bin/sh', '-c'];
  const running = promisify(execFile)(program ?? '', [...words, command], { cwd: '/' });
  // A command that does not read its input can exit before the input is written. Its exit status tells if it failed.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  return (await running).stdout.trim();
}

/** The folder of PostgreSQL's programs: the configured one, or that of the newest version; empty to use PATH. */
async function programs(): Promise<string> {
  const named = process.env.BENCH_POSTGRES_PROGRAMS;
  if (named) return `${resolve(named)}/`;
  const base = '/usr/lib/postgresql';
  const versions = await readdir(base).catch((): string[] => []);
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(base, version, 'bin/'));
  return folders.find((folder) => existsSync(`${folder}initdb`)) ?? '';
}

/** The major version of the programs with which the benchmark starts clusters. */
export const programsVersion = async (): Promise<number> =>
  Number(/\d+/.exec(await shell(`'${await programs()}postgres' --version`))?.[0]);

/** The shutdown mode of PostgreSQL: `fast` rolls transactions back, `immediate` is like a crash. */
export type StopMode = 'fast' | 'immediate';

/** A PostgreSQL server that the benchmark can stop and restart. */
export interface Cluster {
  readonly url: string;
  /** The folder of its data. */
  readonly folder: string;
  readonly stop: (mode: StopMode) => Promise<void>;
  /** Starts the server and resolves when it accepts connections. */
  readonly start: () => Promise<void>;
  /** Promotes a replica to a primary. */
  readonly promote: () => Promise<void>;
}

interface ClusterOptions {
  /** Settings that differ from PostgreSQL's defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The primary of which the cluster becomes a replica, and the name of the replica. */
  readonly replica?: { readonly of: Cluster; readonly name: string };
  /** A folder in which the cluster remains for the next start; a temporary folder when absent. */
  readonly keptIn?: string;
}

/** Creates the data of a cluster. @returns the password of its superuser */
async function makeData(bin: string, folder: string, replica: ClusterOptions['replica']): Promise<string> {
  if (replica) {
    const from = `'${replica.of.url}?application_name=${replica.name}'`;
    await shell(`cd '${folder}' && '${bin}pg_basebackup' -D data -R -c fast --no-sync -d ${from}`);
    return new URL(replica.of.url).password;
  }
  const password = randomBytes(16).toString('hex');
  const initdb = `'${bin}initdb' -D data -U postgres -A scram-sha-256 --pwfile=password -E UTF8 --locale=C.UTF-8`;
  await shell(`cd '${folder}' && umask 077 && cat > password && ${initdb} --no-sync`, password);
  return password;
}

async function temporaryFolder(): Promise<string> {
  const folder = await shell(`mktemp -d '${join(tmpdir(), 'quire-bench-postgres-XXXXXX')}'`);
  atEnd(() => shell(`rm -rf '${folder}'`));
  return folder;
}

/** Creates and starts a cluster, which is stopped at the end of the benchmark. */
export async function startCluster({
  settings = {},
  replica,
  keptIn,
}: ClusterOptions = {}): Promise<Cluster> {
  const bin = await programs();
  const folder = keptIn ?? (await temporaryFolder());
  if (keptIn) await shell(`mkdir -p -m 700 '${keptIn}'`);
  const isMade = await shell(`cat '${folder}/password' 2>/dev/null || true`);
  const password = isMade || (await makeData(bin, folder, replica));
  const port = await freePort();
  const given = Object.entries(settings).map(([name, value]) => ` -c ${name}=${value}`);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${given.join('')}`;
  const control = `cd '${folder}' && '${bin}pg_ctl' -D data -w`;
  let isRunning = false;
  const stop = async (mode: StopMode) => {
    isRunning = false;
    await shell(`${control} stop -m ${mode}`);
  };
  const start = async () => {
    isRunning = true;
    await shell(`${control} -l log -o '${options}' start`);
  };
  atEnd(async () => isRunning && stop('fast'));
  await start();
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    folder: join(folder, 'data'),
    stop,
    start,
    promote: async () => void (await shell(`${control} promote`)),
  };
}

/** Runs one statement on a connection of its own. */
export async function execute(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Reads the version of a PostgreSQL server. */
export async function versionOf(server: string): Promise<string> {
  const [row] = (await execute(server, 'SHOW server_version')) as Array<{ server_version: string }>;
  return row?.server_version ?? 'unknown';
}

/**
 * Returns a database with the given name on a server. If it does not exist, it is created under another name, filled by
 * `lay`, and then renamed, so that an interrupted run leaves no incomplete database.
 */
export async function keptDatabase(
  server: string,
  name: string,
  lay: (databaseUrl: string) => Promise<void>,
): Promise<string> {
  const urlOf = (database: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href;
  const found = await execute(server, `SELECT FROM pg_database WHERE datname = '${name}'`);
  if (found.length > 0) return urlOf(name);
  const unfinished = `${name}_unfinished`;
  await execute(server, `DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await execute(server, `CREATE DATABASE ${unfinished}`);
  await lay(urlOf(unfinished));
  await execute(server, `ALTER DATABASE ${unfinished} RENAME TO ${name}`);
  return urlOf(name);
}

/** Returns the server of BENCH_DATABASE_URL, or starts one with the given settings, which is stopped at the end. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  const server = process.env.BENCH_DATABASE_URL ?? (await startCluster({ settings })).url;
  const version = await versionOf(server);
  const createDatabase = async (template?: string) => {
    const name = `quire_bench_${randomBytes(6).toString('hex')}`;
    atEnd(() => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    const copied = template === undefined ? '' : ` TEMPLATE ${new URL(template).pathname.slice(1)}`;
    await execute(server, `CREATE DATABASE ${name}${copied}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    return url.href;
  };
  return { version, createDatabase };
}
