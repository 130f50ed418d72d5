import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseServers, databaseServers } from '../config.ts';
import { NoAnswer } from './in-time.ts';
import { cutOff, onSetting } from './pg/internals.ts';
import { LargeRowClient } from './pg/large-rows.ts';

/** Milliseconds in which a host says whether it takes writes. */
const answerTime = 2_000;

/** Milliseconds for which a connection waits until any host takes writes, and between two questions. */
const patience = { longest: 8_000, pause: 250 };

/** PostgreSQL reports them at the start of a session, and when they change: `on` where it takes no writes. */
const readOnlySettings = ['in_hot_standby', 'default_transaction_read_only'];

/** Calls back when a session turns out to be on a server that takes no writes. */
const onReadOnly = (client: pg.Client, heard: () => void): void =>
  onSetting(client, (name, value) => {
    if (readOnlySettings.includes(name) && value === 'on') heard();
  });

const readOnlyError = () => Object.assign(new Error('the server takes no writes'), { code: '25006' });

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

interface Primary {
  /** Connects to the server that takes writes, whichever that is by then. */
  readonly Client: typeof pg.Client;
  /** The server is silent: the next connection asks all hosts. */
  readonly doubt: () => void;
  /** Whether no host takes writes; waits until all were asked once, unless that is known. */
  readonly isLost: () => Promise<boolean>;
  /** How many connections have ended unexpectedly. */
  readonly breaks: () => number;
}

interface WritableHost {
  readonly url: string;
  /** Each promotion begins a later one; 0 where the server does not say. */
  readonly timeline: number;
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

/** The first digits of a file of the log are those of its timeline, which any user may read. */
const timelineQuery = `SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline`;

async function timelineOn(client: pg.Client): Promise<number> {
  try {
    const { rows } = await client.query(timelineQuery);
    return rows[0].timeline;
  } catch (error) {
    if (/^(0A|42)/.test(codeOf(error))) return 0; // a server that is like PostgreSQL
    throw error;
  }
}

/** @throws the error of the host. */
async function requireWritable(url: string): Promise<WritableHost> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerTime,
    query_timeout: answerTime,
  });
  client.on('error', () => {});
  let isReadOnly = false;
  onReadOnly(client, () => {
    isReadOnly = true;
  });
  try {
    await client.connect();
    if (isReadOnly) throw readOnlyError();
    return { url, timeline: await timelineOn(client) };
  } finally {
    await client.end().catch(() => {}); // never connected
  }
}

/**
 * Of several hosts that take writes, the one on the latest timeline: the others were the primary before.
 * @throws AggregateError
 */
async function askAll(urls: readonly string[]): Promise<string> {
  const asked = await Promise.allSettled(urls.map(requireWritable));
  const hosts = asked.flatMap((host) => (host.status === 'fulfilled' ? [host.value] : []));
  const [latest, ...others] = hosts.sort((one, other) => other.timeline - one.timeline);
  if (!latest) throw new AggregateError(asked.map((host) => (host as PromiseRejectedResult).reason));
  const old = others.filter(({ timeline }) => timeline < latest.timeline);
  if (old.length > 0) {
    const names = old.map(({ url }) => new URL(url).host).join(', ');
    const { host } = new URL(latest.url);
    process.emitWarning(
      `${names} takes writes beside ${host}, which was promoted later and is used: stop the former primary`,
    );
  }
  return latest.url;
}

/** @throws the error of the first host. */
const anyWritable = (urls: readonly string[]): Promise<string> =>
  askAll(urls).catch(({ errors: [fault] }: AggregateError) => {
    throw fault;
  });

/** The connection string of the host that takes writes. @throws the error of the first host. */
export async function primaryUrl(connection: string): Promise<string> {
  const { urls, isWritable } = databaseServers(connection);
  if (!isWritable) return connection;
  return anyWritable(urls);
}

/** Whether a server runs and has no place or no entry for us: it may be the one that takes writes. */
const isRefusal = (fault: unknown): boolean => /^(28|3D|53)/.test(codeOf(fault));

/**
 * Finds the server that takes writes among those that DATABASE_URL names: all are asked at once, and asked
 * again when a connection to it breaks. Connections to another one than the last that was found are cut off.
 */
export function createPrimary({ urls, isWritable }: DatabaseServers): Primary {
  const [only = ''] = urls;
  let state: 'unknown' | 'found' | 'lost' = 'unknown';
  let last = isWritable ? undefined : only;
  let finding: Promise<string> | undefined;
  let asking: Promise<unknown> | undefined;
  let breaks = 0;
  const open = new Map<pg.Client, string>();

  function found(url: string): void {
    state = 'found';
    if (last !== url) for (const [client, at] of open) if (at !== url) cutOff(client);
    last = url;
  }

  /** @param faults of the hosts, or none where one that was found may have gone. */
  function missed(faults: readonly unknown[]): void {
    state = faults.length === 0 || faults.some(isRefusal) ? 'unknown' : 'lost';
  }

  async function search(): Promise<string> {
    for (const end = performance.now() + patience.longest; ; ) {
      const answer = askAll(urls);
      asking = answer.then(found, ({ errors }: AggregateError) => missed(errors));
      await asking;
      try {
        return await answer;
      } catch (error) {
        if (performance.now() > end) throw (error as AggregateError).errors[0];
      }
      await wait(patience.pause);
    }
  }

  const find = (): Promise<string> => {
    finding ??= search().finally(() => {
      finding = undefined;
    });
    return finding;
  };

  const known = (): string | undefined => (state === 'found' || !isWritable ? last : undefined);

  const doubt = (url: string | undefined): void => {
    if (isWritable && known() === url && url !== undefined) missed([]);
  };

  class PrimaryClient extends LargeRowClient {
    async #connect(): Promise<pg.Client> {
      const url = known() ?? (await find());
      const { host, port } = new pg.Client({ connectionString: url });
      Object.assign(this, { host, port });
      let isRefused = false;
      if (isWritable)
        onReadOnly(this, () => {
          isRefused = true;
          doubt(url);
          this.once('drain', () => void this.end()); // after the answer that is under way
        });
      open.set(this, url);
      this.once('end', () => open.delete(this));
      this.on('error', () => {
        breaks += 1;
        doubt(url);
      });
      try {
        await super.connect();
        if (isRefused) throw readOnlyError();
        if (!isWritable) found(url);
        return this;
      } catch (error) {
        if (isWritable) doubt(url);
        else missed([error]);
        cutOff(this);
        throw error;
      }
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: ConnectCallback): void;
    override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (!callback) return connected;
      connected.then(
        (client) => (callback as (error: null, client: pg.Client) => void)(null, client),
        callback as (error: Error) => void,
      );
      return undefined;
    }
  }

  return {
    Client: PrimaryClient,
    doubt: () => {
      if (isWritable) doubt(last);
      else missed([new NoAnswer('the server is silent')]);
    },
    isLost: async () => {
      if (known() === undefined) void find().catch(() => {});
      if (state === 'unknown') await asking;
      return state === 'lost';
    },
    breaks: () => breaks,
  };
}
