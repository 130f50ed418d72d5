import pg from 'pg';
import { answers, type Statement } from '../statement.ts';
import { inTurn, LargeRow } from './large-rows.ts';
import { withLongTexts } from './long-texts.ts';

/** The server did not answer in time. */
class QueryTimeout extends Error {
  readonly code = 'ETIMEDOUT';
}

export const isQueryTimeout = (fault: unknown): boolean => fault instanceof QueryTimeout;

type Sender = Pick<pg.Client, 'query'>;
type Answered = (error: Error | undefined, result: pg.QueryResult) => void;

/** A statement without rows. A connection that has run it once has it prepared. */
export interface PreparedCall {
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

export const begin: PreparedCall = { name: 'begin', text: 'BEGIN', values: [] };

/** Names the user whose writes the transaction makes: the database notes this name with each changed document. */
export const nameWriter = (user: string): PreparedCall => ({
  name: 'name-writer',
  text: "SELECT WHERE set_config('quire.writer', $1, true) IS NULL",
  values: [user],
});

/** As `pg` does not describe it: see internals.ts. */
interface SentQuery {
  rows: number | undefined;
  queryMode: 'extended';
  readonly callback: Answered;
  readonly _result: { readonly rows: unknown[]; parseRow(fields: readonly (string | null)[]): unknown };
  /** An error on account of which `pg` ignores all further rows. */
  _canceledDueToError: Error | false;
  submit(connection: pg.Connection): Error | null;
  handlePortalSuspended(connection: pg.Connection): void;
  handleDataRow(message: { readonly length: number }): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

const Query = pg.Query as unknown as new (...args: ConstructorParameters<typeof pg.Query>) => SentQuery;

const refusals = new WeakSet<Error>();

/** Whether a statement ended with this error because of its rows, of which PostgreSQL may still send more. */
export const hasRowsLeft = (fault: unknown): boolean => fault instanceof Error && refusals.has(fault);

/** A statement whose rows are counted, and which ends when they are too many. Large rows are parsed at its end. */
class CountedQuery extends Query {
  received: Statement['received'] = undefined;
  #rows = 0;
  #parsed = 0;
  protected hasLargeRows = false;

  /** Counts a row before it is read. */
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

  /** Fails at once: PostgreSQL may have many more rows to send. */
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

/** Whether a statement ended with this error because of its rows, and PostgreSQL sends no more of them. */
export const hasNoRowsLeft = (fault: unknown): boolean =>
  fault instanceof Error && settledRefusals.has(fault);

/** A statement each of whose rows is asked for when the one before was parsed. */
class RowByRowQuery extends CountedQuery {
  override rows = 1;

  /** Fails when PostgreSQL has ended the statement, so that the connection serves on. */
  protected override leaveRows(fault: Error): void {
    settledRefusals.add(fault);
  }

  override handlePortalSuspended(connection: pg.Connection): void {
    const goOn = (): void => {
      if (this._canceledDueToError) connection.sync();
      else super.handlePortalSuspended(connection);
    };
    if (this.hasLargeRows) void this.parseLargeRows().finally(goOn);
    else goOn();
  }
}

/** A statement after prepared ones in one message: if one of these fails, PostgreSQL skips all that follow. */
class FirstQuery extends CountedQuery {
  before: readonly PreparedCall[] = [];
  #completed = 0;

  override submit(connection: pg.Connection): Error | null {
    this.queryMode = 'extended'; // a message without parameters would end before the statement
    connection.stream.cork();
    for (const { name, values } of this.before) {
      connection.bind({ statement: name, values } as pg.BindConfig, true);
      connection.execute({}, true);
    }
    const fault = super.submit(connection);
    if (fault) connection.stream.destroy(); // the message has no end
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
      setTimeout(() => reject(new QueryTimeout('the database did not answer in time')), milliseconds);
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
 * @param before statements that the connection has prepared: they leave in the same message.
 */
export const sendQuery = (
  client: Sender,
  query: string | pg.QueryConfig | pg.QueryArrayConfig,
  values?: unknown[],
  milliseconds?: number,
  before?: readonly PreparedCall[],
): Promise<pg.QueryResult> =>
  submit(client, milliseconds, (answered) => newQuery(query, values, answered, before));

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
      Object.assign(newQuery({ name, text }, values, answered, before, Usual), { received }),
    );
    const { rows, rowCount } = answer;
    if (columns) answers.check?.(query, answer);
    counted?.(rowCount ?? rows.length);
    return rows;
  };

/** As `sendQuery`, for the rows of a statement, which it may count and refuse. */
export const sendStatement = send(CountedQuery);

/** As `sendStatement`, row by row. After an error of PostgreSQL the connection must be closed. */
export const sendRowByRow = send(RowByRowQuery);
