import pg from 'pg';
import type { Statement } from './database.ts';

interface SharedConnection {
  readonly client: pg.Client;
  readonly connected: Promise<unknown>;
  isOpen: boolean;
  isCorked: boolean;
}

export interface Pipeline {
  readonly query: (query: Statement, values: unknown[]) => Promise<unknown[]>;
  readonly close: () => Promise<void>;
}

/** `client.query` would first copy its argument property by property: half of the cost of a statement. */
const send = (client: pg.Client, name: string, text: string, values: unknown[]): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query(text, values, (error: Error | undefined, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result.rows),
    );
    client.query(Object.assign(query, { name }));
  });

/**
 * Sends the statements of all requests over a few shared connections, none waiting for the answer to the one
 * before. The statements of one turn of the event loop leave in one packet, and most are answered in one: to
 * write, wake up and read costs more than such a statement itself. A slow statement would delay those behind
 * it: it is for reads by a key. A connection that breaks, or does not answer within `query_timeout`, is
 * replaced when it is next needed.
 */
export function createPipeline(
  Client: typeof pg.Client,
  settings: pg.ClientConfig,
  connections: number,
): Pipeline {
  const open = new Map<number, SharedConnection>();
  let turn = 0;

  function connect(slot: number): SharedConnection {
    const client = new Client({ ...settings, pipeline: true });
    const drop = () => {
      if (open.get(slot) === connection) open.delete(slot);
    };
    client.on('error', drop);
    client.on('end', drop);
    const connected = client.connect().then(() => {
      connection.isOpen = true;
    });
    connected.catch(drop);
    const connection: SharedConnection = { client, connected, isOpen: false, isCorked: false };
    open.set(slot, connection);
    return connection;
  }

  const next = () => {
    turn = (turn + 1) % connections;
  };

  /**
   * Delays writing until all requests of this turn of the event loop have sent; the next turn uses another
   * one.
   */
  function cork(connection: SharedConnection): void {
    if (connection.isCorked) return;
    connection.isCorked = true;
    const { stream } = connection.client.connection;
    stream.cork();
    setImmediate(() => {
      connection.isCorked = false;
      stream.uncork();
      if (open.get(turn) === connection) next();
    });
  }

  return {
    query: async ({ name, text }, values) => {
      const connection = open.get(turn) ?? connect(turn);
      if (!connection.isOpen) {
        next();
        await connection.connected;
      }
      cork(connection);
      return send(connection.client, name, text, values);
    },
    close: async () => {
      await Promise.all([...open.values()].map(({ client }) => client.end()));
    },
  };
}
