import pg from 'pg';
import type { Statement } from './statement.ts';

/** As `pg` says it. */
const timeoutMessage = 'Query read timeout';

export const isQueryTimeout = (fault: unknown): boolean =>
  fault instanceof Error && fault.message === timeoutMessage;

type Sender = Pick<pg.Client, 'query'>;
type Answered = (error: Error | undefined, result: pg.QueryResult) => void;

const submit = (
  client: Sender,
  milliseconds: number | undefined,
  make: (answered: Answered) => pg.Query,
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const timer = milliseconds && setTimeout(() => reject(new Error(timeoutMessage)), milliseconds);
    const query = make((error, result) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result);
    });
    client.query(query);
  });

/**
 * Like `client.query`, which assigns functions to a property of the query. V8 puts such functions among old
 * objects: all that they reach, the rows too, would be kept until a full collection of garbage.
 * @param milliseconds how long to wait for the answer; the connection is of no use after that.
 */
export const sendQuery = (
  client: Sender,
  query: string | pg.QueryConfig | pg.QueryArrayConfig,
  values?: unknown[],
  milliseconds?: number,
): Promise<pg.QueryResult> =>
  submit(client, milliseconds, (answered) => new pg.Query(query, values, answered));

/** As `sendQuery`; `pg` would copy an object with text and name, for half of the cost of a statement. */
export const sendStatement = async <Row>(
  client: Sender,
  { name, text, counted }: Statement,
  values: unknown[],
  milliseconds?: number,
): Promise<Row[]> => {
  const { rows, rowCount } = await submit(client, milliseconds, (answered) =>
    Object.assign(new pg.Query(text, values, answered), { name }),
  );
  counted?.(rowCount ?? rows.length);
  return rows;
};
