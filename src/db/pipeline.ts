import type pg from 'pg';
import type { Send } from './driver.ts';
import { cutOff, writeTogether } from './pg/internals.ts';
import { isQueryTimeout, sendStatement } from './pg/send-query.ts';

interface SharedConnection {
  readonly client: pg.Client;
  readonly connected: Promise<unknown>;
  isOpen: boolean;
  isCorked: boolean;
}

interface Pipeline {
  readonly query: Send;
  readonly close: () => Promise<void>;
}

/**
 * Sends the quick statements of all requests over a few shared connections without waiting for earlier responses
 * (pipelining).
 *
 * A read by key therefore needs no free connection from the pool. All statements of one turn of the event loop are sent
 * in one packet, and most of their responses arrive in one packet, too, because writing a packet, waking the server up
 * and reading its response cost more than such a statement itself. PostgreSQL runs the statements of a connection in
 * order, so a slow or large statement delays all those behind it: only statements marked `isQuick` can be sent this
 * way. If a connection breaks or the server does not respond in time, all statements on the connection fail, and it is
 * replaced when it is next needed.
 * @param timeout the maximum time to wait for a response, in milliseconds
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
   * Delays writing until the current turn of the event loop ends. Statements sent in the next turn use another
   * connection.
   */
  function cork(connection: SharedConnection): void {
    if (connection.isCorked) return;
    connection.isCorked = true;
    writeTogether(connection.client, () => {
      connection.isCorked = false;
      if (open.get(turn) === connection) next();
    });
  }

  return {
    query: async (statement, values) => {
      const connection = open.get(turn) ?? connect(turn);
      if (!connection.isOpen) {
        next();
        await connection.connected;
      }
      cork(connection);
      const { client } = connection;
      return sendStatement(client, statement, values, timeout).catch((error: unknown) => {
        if (isQueryTimeout(error)) cutOff(client); // the statements behind it in the queue fail as well
        throw error;
      });
    },
    close: async () => {
      await Promise.all([...open.values()].map(({ client }) => client.end()));
    },
  };
}
