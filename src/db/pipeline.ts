import pg from 'pg';
import type { Query } from './database.ts';

/** One connection that many requests share; what is asked of it is answered in turn. */
interface Line {
  readonly client: pg.Client;
  /** Settled once it is connected; rejected when it cannot be. */
  readonly connected: Promise<unknown>;
  isOpen: boolean;
  isHeld: boolean;
}

/** Sends quick statements, many of them in one packet. */
export interface Pipeline {
  readonly query: (query: Query, values: unknown[]) => Promise<unknown[]>;
  readonly close: () => Promise<void>;
}

/** As `client.query` does it, which first copies what it is given property by property: half of what a statement costs. */
const send = (client: pg.Client, name: string, text: string, values: unknown[]): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query(text, values, (error: Error | undefined, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result.rows),
    );
    client.query(Object.assign(query, { name }));
  });

/**
 * Statements of all requests over a few shared connections, none waiting for the answer to the one before: what the
 * requests of one turn of the event loop ask leaves in one packet, and most of it is answered in one: writing, waking up
 * and reading cost more than such a statement itself. Only for reads by a key: one that takes long would hold up those
 * behind it. A connection that breaks, or does not answer within `query_timeout`, is replaced when it is next needed.
 * @param lines how many connections.
 */
export function createPipeline(settings: pg.ClientConfig, lines: number): Pipeline {
  const open = new Map<number, Line>();
  let turn = 0;

  function connect(place: number): Line {
    const client = new pg.Client({ ...settings, pipeline: true });
    const drop = () => {
      if (open.get(place) === line) open.delete(place);
    };
    client.on('error', drop);
    client.on('end', drop);
    const connected = client.connect().then(() => {
      line.isOpen = true;
    });
    connected.catch(drop);
    const line: Line = { client, connected, isOpen: false, isHeld: false };
    open.set(place, line);
    return line;
  }

  const next = () => {
    turn = (turn + 1) % lines;
  };

  /** Holds back what is written until the other requests of this turn have been looked at; then it is another's turn. */
  function hold(line: Line): void {
    if (line.isHeld) return;
    line.isHeld = true;
    const { stream } = line.client.connection;
    stream.cork();
    setImmediate(() => {
      line.isHeld = false;
      stream.uncork();
      if (open.get(turn) === line) next();
    });
  }

  return {
    query: async ({ name, text }, values) => {
      const line = open.get(turn) ?? connect(turn);
      if (!line.isOpen) {
        next();
        await line.connected;
      }
      hold(line);
      return send(line.client, name, text, values);
    },
    close: async () => {
      await Promise.all([...open.values()].map(({ client }) => client.end()));
    },
  };
}
