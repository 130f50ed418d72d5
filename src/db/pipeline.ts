import type pg from 'pg';
import type { Send } from './driver.ts';
import { cutOff } from './pg/internals.ts';
import { isQueryTimeout, sendStatement } from './pg/send-query.ts';

interface SharedConnection {
  readonly client: pg.Client;
  readonly connected: Promise<unknown>;
}

interface Pipeline {
  readonly query: Send;
  readonly close: () => Promise<void>;
}

/**
 * Sends the statements of all requests over a few shared connections, none waiting for the answer to the one
 * before: reads by a key need no free connection of the pool. A slow statement would delay those behind it. A
 * connection that breaks, or does not answer in time, is replaced when it is next needed.
 * @param timeout in milliseconds.
 */
export function createPipeline(
  Client: typeof pg.Client,
  settings: pg.ClientConfig,
  { connections, timeout }: { readonly connections: number; readonly timeout: number },
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
    const connection: SharedConnection = { client, connected: client.connect() };
    connection.connected.catch(drop);
    open.set(slot, connection);
    return connection;
  }

  return {
    query: async (statement, values) => {
      turn = (turn + 1) % connections;
      const { client, connected } = open.get(turn) ?? connect(turn);
      await connected;
      return sendStatement(client, statement, values, timeout).catch((error: unknown) => {
        if (isQueryTimeout(error)) cutOff(client); // those behind it fail too
        throw error;
      });
    },
    close: async () => {
      await Promise.all([...open.values()].map(({ client }) => client.end()));
    },
  };
}
