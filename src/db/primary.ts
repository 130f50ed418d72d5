import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseServers, databaseServers } from '../config.ts';

/** Milliseconds in which a host says whether it takes writes. */
const answerTime = 2_000;

/** Milliseconds for which a connection waits until any host takes writes, and between two questions. */
const patience = { longest: 8_000, pause: 250 };

/** PostgreSQL reports them at the start of a session, and when they change: `on` where it takes no writes. */
const readOnlySettings = ['in_hot_standby', 'default_transaction_read_only'];

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

interface ReportingConnection {
  on(event: 'parameterStatus', heard: (status: ParameterStatus) => void): void;
  readonly stream: { destroy(): void };
}

const connectionOf = (client: pg.Client): ReportingConnection =>
  (client as unknown as { connection: ReportingConnection }).connection;

/** Calls back when a session turns out to be on a server that takes no writes. */
const onReadOnly = (client: pg.Client, heard: () => void): void =>
  connectionOf(client).on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (readOnlySettings.includes(parameterName) && parameterValue === 'on') heard();
  });

const readOnlyError = () => Object.assign(new Error('the server takes no writes'), { code: '25006' });

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

export interface Primary {
  /** Connects to the server that takes writes, whichever that is by then. */
  readonly Client: typeof pg.Client;
  /** The server is silent: the next connection asks all hosts. */
  readonly doubt: () => void;
  /** Whether no host takes writes; waits until all were asked once. */
  readonly isLost: () => Promise<boolean>;
}

/** @throws the errors of the hosts. */
async function requireWritable(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: answerTime });
  client.on('error', () => {});
  let isReadOnly = false;
  onReadOnly(client, () => {
    isReadOnly = true;
  });
  try {
    await client.connect();
    if (isReadOnly) throw readOnlyError();
    return connectionString;
  } finally {
    await client.end().catch(() => {}); // never connected
  }
}

/** @throws the error of the first host. */
const anyWritable = (urls: readonly string[]): Promise<string> =>
  Promise.any(urls.map(requireWritable)).catch(({ errors: [fault] }: AggregateError) => {
    throw fault;
  });

/** The connection string of the host that takes writes. @throws the error of the first host. */
export async function primaryUrl(connection: string): Promise<string> {
  const { urls, isWritable } = databaseServers(connection);
  if (!isWritable) return connection;
  return anyWritable(urls);
}

/**
 * Finds the server that takes writes among those that DATABASE_URL names: all are asked at once, and asked
 * again when a connection to it breaks. Connections to another one than the last that was found are cut off.
 */
export function createPrimary({ urls, isWritable }: DatabaseServers): Primary {
  const [only] = urls;
  let known = isWritable ? undefined : only;
  let last: string | undefined;
  let isLost = false;
  let finding: Promise<string> | undefined;
  let asking: Promise<string> | undefined;
  const open = new Map<pg.Client, string>();

  async function search(): Promise<string> {
    for (const end = performance.now() + patience.longest; ; ) {
      try {
        asking = anyWritable(urls);
        const found = await asking;
        isLost = false;
        return found;
      } catch (fault) {
        isLost = true;
        if (performance.now() > end) throw fault;
      }
      await wait(patience.pause);
    }
  }

  function moveTo(url: string): string {
    known = url;
    if (last !== url) for (const [client, at] of open) if (at !== url) connectionOf(client).stream.destroy();
    last = url;
    return url;
  }

  const find = (): Promise<string> => {
    finding ??= search()
      .then(moveTo)
      .finally(() => {
        finding = undefined;
      });
    return finding;
  };

  const doubt = (url: string | undefined): void => {
    if (isWritable && known === url) known = undefined;
  };

  class PrimaryClient extends pg.Client {
    async #connect(): Promise<pg.Client> {
      const url = known ?? (await find());
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
      this.on('error', () => doubt(url));
      try {
        await super.connect();
        if (isRefused) throw readOnlyError();
        isLost = false;
        return this;
      } catch (error) {
        isLost ||= !isWritable;
        doubt(url);
        connectionOf(this).stream.destroy();
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
      isLost ||= !isWritable;
      doubt(known);
    },
    isLost: async () => {
      if (known === undefined && !finding) void find().catch(() => {});
      if (known === undefined) await asking?.catch(() => {});
      return isLost;
    },
  };
}
