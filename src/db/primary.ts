import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseServers, databaseServers } from '../config.ts';
import { NoAnswer } from '../event-loop.ts';
import { cutOff, onSetting } from './pg/internals.ts';
import { LargeRowClient } from './pg/large-rows.ts';

/** How long to wait for a host to report whether it accepts writes, in milliseconds. */
const answerTimeout = 2_000;

/**
 * How long a new connection waits for a host that accepts writes, and the delay between two attempts, in milliseconds.
 */
const searching = { timeout: 8_000, interval: 250 };

/**
 * Settings that PostgreSQL reports when a session starts and when they change. The value `on` means that the server or
 * session is read-only.
 */
const readOnlySettings = ['in_hot_standby', 'default_transaction_read_only'];

/** Calls `heard` when the server of a session turns out to be read-only. */
const onReadOnly = (client: pg.Client, heard: () => void): void =>
  onSetting(client, (name, value) => {
    if (readOnlySettings.includes(name) && value === 'on') heard();
  });

const readOnlyError = () => Object.assign(new Error('The server is read-only.'), { code: '25006' });

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

interface Primary {
  /** The class of clients that connect to the server that currently accepts writes. */
  readonly Client: typeof pg.Client;
  /** Records that the server is not responding, so that all hosts are asked again for the next connection. */
  readonly doubt: () => void;
  /** Whether no host is accepting writes. If this is not known yet, waits until every host has been asked once. */
  readonly isLost: () => Promise<boolean>;
  /** The number of connections that have ended unexpectedly. */
  readonly breaks: () => number;
}

interface WritableHost {
  readonly url: string;
  /**
   * The timeline of the server's write-ahead log. Each promotion of a standby starts a later timeline; 0 if the server
   * does not report one.
   */
  readonly timeline: number;
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code);

/** Reads the timeline from the first digits of a WAL file's name, which every user is allowed to query. */
const timelineQuery = `SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int AS timeline`;

async function timelineOn(client: pg.Client): Promise<number> {
  try {
    const { rows } = await client.query(timelineQuery);
    return rows[0].timeline;
  } catch (error) {
    // The server is compatible with PostgreSQL but has no WAL files.
    if (/^(0A|42)/.test(codeOf(error))) return 0;
    throw error;
  }
}

/**
 * Checks that a host accepts writes.
 * @throws the error reported by the host
 */
async function requireWritable(url: string): Promise<WritableHost> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerTimeout,
    query_timeout: answerTimeout,
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
    await client.end().catch(() => {}); // the connection was never established
  }
}

/**
 * Asks all hosts at once and returns the one that accepts writes. If several do, the one on the latest timeline is
 * returned, because the others are former primaries that have not been stopped.
 * @throws AggregateError with the errors of all hosts if none accepts writes
 */
async function askAll(urls: readonly string[]): Promise<string> {
  const answers = await Promise.allSettled(urls.map(requireWritable));
  const hosts = answers.flatMap((host) => (host.status === 'fulfilled' ? [host.value] : []));
  const [latest, ...others] = hosts.sort((one, other) => other.timeline - one.timeline);
  if (!latest) throw new AggregateError(answers.map((host) => (host as PromiseRejectedResult).reason));
  const old = others.filter(({ timeline }) => timeline < latest.timeline);
  if (old.length > 0) {
    const names = old.map(({ url }) => new URL(url).host).join(', ');
    const { host } = new URL(latest.url);
    process.emitWarning(
      `${names} accepts writes, although the current primary ${host} was promoted later. Stop the former primary.`,
    );
  }
  return latest.url;
}

/**
 * Returns the host that accepts writes.
 * @throws the error of the first host if none does
 */
const anyWritable = (urls: readonly string[]): Promise<string> =>
  askAll(urls).catch(({ errors: [fault] }: AggregateError) => {
    throw fault;
  });

/**
 * Returns the connection string of the host that accepts writes.
 * @throws the error of the first host if none does
 */
export async function primaryUrl(connection: string): Promise<string> {
  const { urls, isWritable } = databaseServers(connection);
  if (!isWritable) return connection;
  return anyWritable(urls);
}

/** Whether a server is running but rejected the connection. Such a server may be the one that accepts writes. */
const isRefusal = (fault: unknown): boolean => /^(28|3D|53)/.test(codeOf(fault));

/**
 * Finds the primary, the server that accepts writes, among the hosts named in DATABASE_URL.
 *
 * All hosts are asked at once, and again when a connection to the primary breaks or reports that the server has become
 * read-only. When another primary is found, connections to the former one are closed; otherwise, their transactions
 * could continue to write to a server whose changes are lost. With a single host, every connection simply uses that
 * host.
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

  /**
   * Records that the primary is not known.
   * @param faults the errors of the hosts; empty if the primary may be gone
   */
  function missed(faults: readonly unknown[]): void {
    state = faults.length === 0 || faults.some(isRefusal) ? 'unknown' : 'lost';
  }

  async function search(): Promise<string> {
    for (const end = performance.now() + searching.timeout; ; ) {
      const answer = askAll(urls);
      asking = answer.then(found, ({ errors }: AggregateError) => missed(errors));
      await asking;
      try {
        return await answer;
      } catch (error) {
        if (performance.now() > end) throw (error as AggregateError).errors[0];
      }
      await wait(searching.interval);
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
          this.once('drain', () => void this.end()); // closes after the current statement
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
      else missed([new NoAnswer('The server is not responding.')]);
    },
    isLost: async () => {
      if (known() === undefined) void find().catch(() => {});
      if (state === 'unknown') await asking;
      return state === 'lost';
    },
    breaks: () => breaks,
  };
}
