import pg from 'pg';
import { answers, type Statement } from '../statement.ts';
import { inTurn, LargeRow } from './large-rows.ts';
import { withLongTexts } from './long-texts.ts';

/** Thrown when the server did not respond to a statement in time. */
class QueryTimeout extends Error {
  readonly code = 'ETIMEDOUT';
}

export const isQueryTimeout = (fault: unknown): boolean => fault instanceof QueryTimeout;

type Sender = Pick<pg.Client, 'query'>;
type Answered = (error: Error | undefined, result: pg.QueryResult) => void;

/** A prepared statement that returns no rows. */
export interface PreparedCall {
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

export const begin: PreparedCall = { name: 'begin', text: 'BEGIN', values: [] };

/**
 * Records the user who makes the changes in a transaction. Triggers store the user's name with each changed document.
 */
export const nameWriter = (user: string): PreparedCall => ({
  name: 'name-writer',
  text: "SELECT WHERE set_config('quire.writer', $1, true) IS NULL",
  values: [user],
});

/** The undocumented members of a `pg` query; see internals.ts. */
interface SentQuery {
  rows: number | undefined;
  queryMode: 'extended';
  readonly callback: Answered;
  readonly _result: { readonly rows: unknown[]; parseRow(fields: readonly (string | null)[]): unknown };
  /** An error that makes `pg` ignore all further rows. */
  _canceledDueToError: Error | false;
  submit(connection: pg.Connection): Error | null;
  handlePortalSuspended(connection: pg.Connection): void;
  handleDataRow(message: { readonly length: number }): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

const Query = pg.Query as unknown as new (...args: ConstructorParameters<typeof pg.Query>) => SentQuery;

const refusals = new WeakSet<Error>();

/**
 * Whether the error means that a statement was aborted because its rows were refused, and that PostgreSQL may still be
 * sending rows.
 */
export const hasRowsLeft = (fault: unknown): boolean =>
  fault instanceof Error && (refusals.has(fault) || hasRowsLeft(fault.cause));

/**
 * A statement that counts each row before reading it, and that ends when there are too many rows. Large rows are
 * collected unparsed, and parsed one by one after the last row has arrived.
 */
class CountedQuery extends Query {
  received: Statement['received'] = undefined;
  #rows = 0;
  #parsed = 0;
  protected hasLargeRows = false;

  /**
   * Counts a row before it is read.
   * @returns false if the row must be skipped
   */
  acceptsRow(bytes: number): boolean {
    if (this._canceledDueToError) return false;
    const fault = this.received?.(bytes, this.#rows);
    if (!fault) {
      this.#rows += 1;
      return true;
    }
    this._canceledDueToError = fault;
    this.#dropRows();
    this.leaveRows(fault);
    return false;
  }

  /** Fails immediately, without waiting for PostgreSQL to send the remaining rows. */
  protected leaveRows(fault: Error): void {
    refusals.add(fault);
    this.callback(fault, undefined as never);
  }

  #dropRows(): void {
    for (const row of this._result.rows) if (row instanceof LargeRow) row.drop();
    this._result.rows.length = 0;
  }

  override handleDataRow(message: { readonly length: number }): void {
    if (message instanceof LargeRow) {
      if (this._canceledDueToError) return;
      this.hasLargeRows = true;
      this._result.rows.push(message);
    } else if (this.acceptsRow(message.length)) super.handleDataRow(message);
  }

  override handleReadyForQuery(connection: pg.Connection): void {
    if (!this.hasLargeRows || this._canceledDueToError) super.handleReadyForQuery(connection);
    else void this.parseLargeRows().finally(() => super.handleReadyForQuery(connection));
  }

  protected async parseLargeRows(): Promise<void> {
    const { rows } = this._result;
    this.hasLargeRows = false;
    try {
      for (; this.#parsed < rows.length; this.#parsed += 1) {
        const row = rows[this.#parsed];
        if (!(row instanceof LargeRow)) continue;
        rows[this.#parsed] = await inTurn(() => this._result.parseRow(row.fields));
        row.drop();
      }
    } catch (error) {
      this.#dropRows();
      this._canceledDueToError = error as Error;
    }
  }
}

const settledRefusals = new WeakSet<Error>();

/**
 * Whether the error means that a statement was aborted because its rows were refused, and that PostgreSQL is not
 * sending any more rows.
 */
export const hasNoRowsLeft = (fault: unknown): boolean =>
  fault instanceof Error && settledRefusals.has(fault);

/**
 * A statement that requests each row only after the previous one has been parsed. It can be ended between two rows
 * without closing the connection.
 */
class RowByRowQuery extends CountedQuery {
  override rows = 1;

  /** Fails only after PostgreSQL has ended the statement, so that the connection can be reused. */
  protected override leaveRows(fault: Error): void {
    settledRefusals.add(fault);
  }

  override handlePortalSuspended(connection: pg.Connection): void {
    const finish = (): void => {
      if (this._canceledDueToError) connection.sync();
      else super.handlePortalSuspended(connection);
    };
    if (this.hasLargeRows) void this.parseLargeRows().finally(finish);
    else finish();
  }
}

/**
 * A statement that is sent in the same packet as the prepared statements that precede it. If one of these fails,
 * PostgreSQL skips everything up to the end of the packet, so the statement cannot run without them.
 */
class FirstQuery extends CountedQuery {
  before: readonly PreparedCall[] = [];
  #completed = 0;

  override submit(connection: pg.Connection): Error | null {
    // For a query without parameters, `pg` uses the simple protocol by default, which would end the series before this
    // statement.
    this.queryMode = 'extended';
    connection.stream.cork();
    for (const { name, values } of this.before) {
      connection.bind({ statement: name, values } as pg.BindConfig, true);
      connection.execute({}, true);
    }
    const fault = super.submit(connection);
    if (fault) connection.stream.destroy(); // the packet lacks its end, so the connection is unusable
    connection.stream.uncork();
    return fault;
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#completed === this.before.length) super.handleCommandComplete(message, connection);
    else this.#completed += 1;
  }
}

const newQuery = (
  query: string | pg.QueryConfig | pg.QueryArrayConfig,
  values: unknown[] | undefined,
  answered: Answered,
  before: readonly PreparedCall[] = [],
  Usual: typeof CountedQuery = CountedQuery,
): pg.Query => {
  const isFirst = before.length > 0;
  const Sent = (isFirst ? FirstQuery : Usual) as unknown as typeof pg.Query;
  const sent = new Sent(query, values?.map(withLongTexts), answered);
  return isFirst ? Object.assign(sent, { before }) : sent;
};

const submit = (
  client: Sender,
  milliseconds: number | undefined,
  make: (answered: Answered) => pg.Query,
): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const timer =
      milliseconds &&
      setTimeout(() => reject(new QueryTimeout('The database did not respond in time.')), milliseconds);
    const query = make((error, result) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result);
    });
    client.query(query);
  });

/**
 * Sends a statement, like `client.query`. `client.query` assigns functions to a property of the query; V8 allocates
 * such functions in the old generation, so everything that they refer to, including the rows, would stay in memory
 * until a full garbage collection.
 * @param milliseconds the timeout for the response; after a timeout, the connection must not be used again
 * @param before statements that have already been prepared on the connection, to be sent in the same packet
 */
export const sendQuery = (
  client: Sender,
  query: string | ((pg.QueryConfig | pg.QueryArrayConfig) & Pick<Statement, 'received'>),
  values?: unknown[],
  milliseconds?: number,
  before?: readonly PreparedCall[],
): Promise<pg.QueryResult> =>
  submit(client, milliseconds, (answered) => {
    const made = newQuery(query, values, answered, before);
    const { received } = typeof query === 'string' ? {} : query;
    return received ? Object.assign(made, { received }) : made;
  });

const send =
  (Usual: typeof CountedQuery) =>
  async <Row>(
    client: Sender,
    query: Statement<Row>,
    values: unknown[],
    milliseconds?: number,
    before?: readonly PreparedCall[],
  ): Promise<Row[]> => {
    const { name, text, columns, counted, received } = query;
    const answer = await submit(client, milliseconds, (answered) =>
      // `name` and `received` are assigned separately: `pg` would copy each property of a configuration that has both a
      // name and a text.
      Object.assign(newQuery(text, values, answered, before, Usual), { name, received }),
    );
    const { rows, rowCount } = answer;
    if (columns) answers.check?.(query, answer);
    counted?.(rowCount ?? rows.length);
    return rows;
  };

/** Sends a statement and returns its rows. The rows are counted and can be refused. */
export const sendStatement = send(CountedQuery);

/** Like `sendStatement`, but requests the rows one by one. The connection must be closed after a PostgreSQL error. */
export const sendRowByRow = send(RowByRowQuery);
