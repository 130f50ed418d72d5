import type pg from 'pg';
import type { Columns, RowWith } from './columns.ts';

/**
 * An SQL statement. PostgreSQL stores its plan under the name, so a name must always stand for the same text. A
 * statement with an empty name is not prepared.
 */
export interface Statement<Row = unknown> {
  readonly name: string;
  readonly text: string;
  /** The types of the columns in its rows; absent if the rows are not read. */
  readonly columns?: Columns;
  /** Never set; it only carries the TypeScript type of the rows. */
  readonly row?: Row;
  /**
   * Set if the statement finds a few rows by key, so that it can share a connection with statements of other requests.
   */
  readonly isQuick?: true;
  /**
   * Set if the statement reads large rows. Outside of a transaction, it waits for other large reads of its user, and
   * requests each row only after the previous one has been parsed. The statement therefore takes turns with other
   * statements, and its connection remains usable if `received` ends the statement.
   */
  readonly isLarge?: true | undefined;
  /** Called with the number of rows that the statement returned or changed. */
  readonly counted?: (rows: number) => void;
  /**
   * Called before each row is parsed, with the size of the row in bytes and the number of rows before it. If it returns
   * an error, the statement ends with this error. Outside of a transaction, this also closes the connection, unless it
   * is shared or the statement is marked `isLarge`.
   */
  readonly received?: ((bytes: number, rows: number) => Error | undefined) | undefined;
}

/** An object that can send SQL statements. */
export interface Querying {
  /** Sends a statement. The columns of its rows are named after the fields of Prisma's models. */
  query<Row>(query: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
}

/** The type of a statement's rows. */
export type RowOf<Sent> = Sent extends Statement<infer Row> ? Row : never;

/** All named statements in the loaded modules. A test runs each of them against the database. */
export const statements = new Map<string, Statement>();

const registered = <Row>(made: Statement<Row>): Statement<Row> => {
  statements.set(made.name, made);
  return made;
};

/**
 * A hook for tests. It is called with each result of a statement that declares its columns, and compares the result
 * with the declaration.
 */
export const answers: {
  check?: (query: Statement, answer: Pick<pg.QueryResult, 'fields' | 'rows'>) => void;
} = {};

type Tag<Row> = (text: TemplateStringsArray, ...parts: ReadonlyArray<string | number>) => Statement<Row>;

/**
 * Returns a template tag that creates a statement. The columns are omitted if the statement's rows are not read.
 */
export function statement(name: string): Tag<unknown>;
export function statement<const Declared extends Columns>(
  name: string,
  columns: Declared,
): Tag<RowWith<Declared>>;
export function statement(name: string, columns?: Columns): Tag<unknown> {
  return (text, ...parts) =>
    registered({ name, text: String.raw({ raw: text }, ...parts), ...(columns && { columns }) });
}

/** Creates a copy of a statement with a different text. Its rows must have the same columns. */
export const rewritten = <Row>(query: Statement<Row>, text: string, name = query.name): Statement<Row> =>
  registered({ ...query, name, text });

/**
 * Creates a statement without a name, for text that depends on the request. PostgreSQL does not store a plan for it.
 */
export function composed(text: string): Statement;
export function composed<const Declared extends Columns>(
  text: string,
  columns: Declared,
): Statement<RowWith<Declared>>;
export function composed(text: string, columns?: Columns): Statement {
  return { name: '', text, ...(columns && { columns }) };
}
