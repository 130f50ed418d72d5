import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { atEnd } from '../closing.ts';
import { execute, programs, shell } from '../postgres.ts';

/**
 * A Patroni cluster of three machines, each of which is a network namespace with Patroni and PostgreSQL. This needs root,
 * because it creates network interfaces.
 */

/** How long the leader keeps its lock without renewing it, in seconds. This is the minimum that Patroni accepts. */
export const ttl = 20;

const names = ['one', 'two', 'three'] as const;
type Name = (typeof names)[number];

const prefix = `quire-${process.pid}`;
const network = '10.77.0';
const addressOf = (name: Name): string => `${network}.${names.indexOf(name) + 11}`;
const spaceOf = (name: Name): string => `${prefix}-${name}`;
/** The host's end of a machine's cable. Names of interfaces have at most 15 characters. */
const cableOf = (name: Name): string => `q${process.pid}-${names.indexOf(name)}`;
const bridge = `q${process.pid}`;

const command = async (program: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(program, args)).stdout.trim();
const ip = (text: string): Promise<string> => command('ip', ...text.split(' '));

async function createMachines(): Promise<void> {
  atEnd(() => ip(`link del ${bridge}`));
  await ip(`link add ${bridge} type bridge`);
  await ip(`addr add ${network}.1/24 dev ${bridge}`);
  await ip(`link set ${bridge} up`);
  for (const name of names) {
    const space = spaceOf(name);
    await ip(`netns add ${space}`);
    atEnd(() => ip(`netns del ${space}`));
    await ip(`link add ${cableOf(name)} type veth peer name eth0 netns ${space}`);
    await ip(`link set ${cableOf(name)} master ${bridge}`);
    await ip(`link set ${cableOf(name)} up`);
    await ip(`-n ${space} addr add ${addressOf(name)}/24 dev eth0`);
    await ip(`-n ${space} link set eth0 up`);
    await ip(`-n ${space} link set lo up`);
  }
}

/** Sends a signal to all processes of a machine. */
async function signal(name: Name, which: NodeJS.Signals): Promise<void> {
  const pids = (await ip(`netns pids ${spaceOf(name)}`)).split('\n').filter(Boolean);
  for (const pid of pids) {
    try {
      process.kill(Number(pid), which);
    } catch {
      // The process has ended in the meantime.
    }
  }
}

/** Starts a program on a machine as the user of PostgreSQL. Its output goes to a file. */
function start(name: Name, log: string, program: string): void {
  const args = ['netns', 'exec', spaceOf(name), 'su', 'postgres', '-s', '/bin/sh', '-c'];
  spawn('ip', [...args, `exec ${program} >>'${log}' 2>&1`], { stdio: 'ignore', cwd: '/' });
}

/**
 * Starts etcd on the host, which does not fail. If it ran on the leader's machine, its own election would be added to
 * Patroni's, and would renew the leader's lock.
 */
async function startEtcd(folder: string): Promise<void> {
  await mkdir(`${folder}/etcd`, { mode: 0o700 });
  const url = (port: number) => `http://${network}.1:${port}`;
  const options = [
    ['--data-dir', `${folder}/etcd`],
    ['--listen-client-urls', url(2379), '--advertise-client-urls', url(2379)],
    ['--listen-peer-urls', url(2380), '--initial-advertise-peer-urls', url(2380)],
    ['--name', 'etcd', '--initial-cluster', `etcd=${url(2380)}`, '--logger', 'zap'],
  ];
  const etcd = spawn('etcd', options.flat(), { stdio: 'ignore', cwd: '/' });
  atEnd(async () => etcd.kill('SIGKILL'));
}

const fileOf = (folder: string, name: Name): string => join(folder, `patroni-${name}.yml`);

async function writeConfiguration(folder: string, name: Name, password: string): Promise<void> {
  const account = (username: string) => ({ username, password });
  const configuration = {
    scope: prefix,
    name,
    restapi: { listen: `${addressOf(name)}:8008`, connect_address: `${addressOf(name)}:8008` },
    etcd3: { host: `${network}.1:2379` },
    bootstrap: {
      dcs: {
        ttl,
        loop_wait: 5,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 300, wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      pg_hba: ['local all all trust', `host all all ${network}.0/24 scram-sha-256`].concat(
        `host replication replicator ${network}.0/24 scram-sha-256`,
      ),
    },
    postgresql: {
      listen: `${addressOf(name)}:5432`,
      connect_address: `${addressOf(name)}:5432`,
      data_dir: `${folder}/data-${name}`,
      bin_dir: await programs(),
      pgpass: `${folder}/pgpass-${name}`,
      authentication: {
        superuser: account('postgres'),
        replication: account('replicator'),
        rewind: account('rewinder'),
      },
      parameters: { unix_socket_directories: '' },
    },
  };
  await writeFile(fileOf(folder, name), JSON.stringify(configuration), { mode: 0o644 });
}

interface Member {
  readonly name: Name;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

/** Reads the members of the cluster from the first machine that responds. */
async function members(): Promise<readonly Member[]> {
  for (const name of names) {
    const response = await fetch(`http://${addressOf(name)}:8008/cluster`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
  }
  return [];
}

const isRunning = ({ state }: Member): boolean => state === 'running' || state === 'streaming';

/** Waits until there is a leader and both other members follow it, one of them synchronously. */
async function untilWhole(): Promise<void> {
  for (const end = performance.now() + 240_000; ; await wait(500)) {
    const all = await members();
    const has = (role: string) => all.filter((member) => member.role === role && isRunning(member)).length;
    if (
      all.length === names.length &&
      all.every(isRunning) &&
      has('leader') === 1 &&
      has('sync_standby') === 1
    )
      return;
    if (performance.now() > end) throw new Error(`the cluster is not whole: ${JSON.stringify(all)}`);
  }
}

async function leaderNow(): Promise<Name> {
  for (;;) {
    const leader = (await members()).find(({ role }) => role === 'leader');
    if (leader) return leader.name;
    await wait(100);
  }
}

/** A cluster whose machines can fail. */
export interface PatroniCluster {
  /** A connection string with all servers. */
  readonly url: string;
  /** The connection strings of the single servers. */
  readonly urls: readonly string[];
  readonly leader: () => Promise<Name>;
  readonly untilWhole: () => Promise<void>;
  /** Kills all processes of a machine. */
  readonly kill: (name: Name) => Promise<void>;
  /** Starts the processes of a machine after it was killed. */
  readonly revive: (name: Name) => void;
  /** Stops the processes of a machine without closing their connections, as if the machine was suspended. */
  readonly freeze: (name: Name) => Promise<void>;
  readonly thaw: (name: Name) => Promise<void>;
  readonly unplug: (name: Name) => Promise<void>;
  readonly plugIn: (name: Name) => Promise<void>;
  /** Makes another member the leader, as for maintenance. */
  readonly switchOver: (from: Name) => Promise<void>;
}

export async function startPatroni(): Promise<PatroniCluster> {
  const folder = await shell(`mktemp -d /tmp/${prefix}-XXXXXX`);
  atEnd(() => rm(folder, { recursive: true, force: true }));
  await createMachines();
  atEnd(async () => {
    for (const name of names) await signal(name, 'SIGKILL');
    await wait(500);
  });
  const password = randomBytes(16).toString('hex');
  const revive = (name: Name): void =>
    start(name, `${folder}/patroni-${name}.log`, `patroni '${fileOf(folder, name)}'`);
  await startEtcd(folder);
  for (const name of names) await writeConfiguration(folder, name, password);
  for (const name of names) revive(name);
  await untilWhole().catch(async (error: Error) => {
    const log = await readFile(`${folder}/patroni-one.log`, 'utf8').catch(() => '');
    throw new Error(`${error.message}\n${log.slice(-3_000)}`);
  });
  const urlOf = (hosts: string, user: string, database: string): string =>
    `postgres://${user}:${password}@${hosts}/${database}`;
  const leader = `${addressOf(await leaderNow())}:5432`;
  await execute(urlOf(leader, 'postgres', 'postgres'), `CREATE ROLE quire LOGIN PASSWORD '${password}'`);
  await execute(urlOf(leader, 'postgres', 'postgres'), 'CREATE DATABASE quire OWNER quire');
  const hosts = names.map((name) => `${addressOf(name)}:5432`);
  return {
    url: `${urlOf(hosts.join(','), 'quire', 'quire')}?target_session_attrs=read-write`,
    urls: hosts.map((host) => urlOf(host, 'quire', 'quire')),
    leader: leaderNow,
    untilWhole,
    kill: (name) => signal(name, 'SIGKILL'),
    revive,
    freeze: (name) => signal(name, 'SIGSTOP'),
    thaw: (name) => signal(name, 'SIGCONT'),
    unplug: async (name) => void (await ip(`link set ${cableOf(name)} down`)),
    plugIn: async (name) => void (await ip(`link set ${cableOf(name)} up`)),
    switchOver: async (from) => {
      const standby = (await members()).find(({ role }) => role === 'sync_standby')?.name ?? '';
      const choice = ['--leader', from, '--candidate', standby, '--force'];
      await command('patronictl', '-c', fileOf(folder, from), 'switchover', prefix, ...choice);
    },
  };
}
