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
   * Creates a database that is dropped when the benchmark ends.
   * @param template the database to copy, which must have no connections; if absent, the new database is empty
   * @returns the URL of the new database
   */
  readonly createDatabase: (template?: string) => Promise<string>;
}

const isRoot = process.getuid?.() === 0;

/**
 * Runs a shell command. If this process runs as root, the command runs as the user `postgres`, because PostgreSQL
 * refuses to run as root.
 */
export async function shell(command: string, input = ''): Promise<string> {
  const [program, ...words] = isRoot ? ['su', 'postgres', '-s', '/bin/sh', '-c'] : ['/bin/sh', '-c'];
  const running = promisify(execFile)(program ?? '', [...words, command], { cwd: '/' });
  // A command that does not read its input can exit before the input has been written. The resulting error is
  // ignored, because the exit status shows whether the command failed.
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  return (await running).stdout.trim();
}

/**
 * Returns the folder of PostgreSQL's programs: the configured folder, or the folder of the newest installed version.
 * Returns an empty string if the programs are found by PATH.
 */
export async function programs(): Promise<string> {
  const named = process.env.BENCH_POSTGRES_PROGRAMS;
  if (named) return `${resolve(named)}/`;
  const base = '/usr/lib/postgresql';
  const versions = await readdir(base).catch((): string[] => []);
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(base, version, 'bin/'));
  return folders.find((folder) => existsSync(`${folder}initdb`)) ?? '';
}

/** Returns the major version of the PostgreSQL programs that the benchmark uses. */
export const programsVersion = async (): Promise<number> =>
  Number(/\d+/.exec(await shell(`'${await programs()}postgres' --version`))?.[0]);

/** A shutdown mode of PostgreSQL: `fast` rolls back open transactions; `immediate` is like a crash. */
export type StopMode = 'fast' | 'immediate';

/** A PostgreSQL server that the benchmark can stop and restart. */
export interface Cluster {
  readonly url: string;
  /** The folder that contains the server's data. */
  readonly folder: string;
  readonly stop: (mode: StopMode) => Promise<void>;
  /** Starts the server, and resolves when it accepts connections. */
  readonly start: () => Promise<void>;
  /** Promotes a replica to primary. */
  readonly promote: () => Promise<void>;
}

interface ClusterOptions {
  /** The settings that differ from PostgreSQL's defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** If set, the cluster is a replica of this primary and has this name. */
  readonly replica?: { readonly of: Cluster; readonly name: string };
  /** The folder in which the cluster is stored for later runs; by default, a temporary folder. */
  readonly keptIn?: string;
}

/** Creates the data directory of a cluster. @returns the password of its superuser */
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

/** Creates and starts a cluster. It is stopped when the benchmark ends. */
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

/** Runs one statement on a new connection. */
export async function execute(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function versionOf(server: string): Promise<string> {
  const [row] = (await execute(server, 'SHOW server_version')) as Array<{ server_version: string }>;
  return row?.server_version ?? 'unknown';
}

/**
 * Returns a database with the given name on a server. If the database does not exist, it is created under a
 * temporary name, filled by `lay`, and then renamed, so that an interrupted run does not leave an incomplete
 * database behind.
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

/**
 * Returns the server that BENCH_DATABASE_URL refers to. If the variable is not set, starts a server with the given
 * settings, which is stopped when the benchmark ends.
 */
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
