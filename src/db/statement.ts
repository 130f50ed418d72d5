import type pg from 'pg';
import type { Columns, RowWith } from './columns.ts';

/** SQL. The server keeps the plan under the name, whose text must not change; an empty name keeps none. */
export interface Statement<Row = unknown> {
  readonly name: string;
  readonly text: string;
  /** The columns of its rows; absent where nothing reads them. */
  readonly columns?: Columns;
  /** Only for types. */
  readonly row?: Row;
  /** Finds a few rows by a key: it shares a connection with the statements of other requests. */
  readonly isQuick?: true;
  /**
   * Reads rows of many bytes. Outside of a transaction it waits for the other large reads of its user, and each row is
   * asked for when the one before was parsed: so it takes turns with others, and leaves its connection usable when
   * `received` ends it.
   */
  readonly isLarge?: true | undefined;
  /** Is called with the number of rows that it has found or changed, in a transaction only. */
  readonly counted?: (rows: number) => void;
  /**
   * Is called with the bytes of each row before the row is parsed. The error that it returns ends the
   * statement: outside of a transaction its connection is closed, unless it is shared or the statement `isLarge`.
   */
  readonly received?: ((bytes: number, rows: number) => Error | undefined) | undefined;
}

/** What sends SQL. */
export interface Querying {
  /** Sends SQL, whose columns are named as the fields of Prisma's models. */
  query<Row>(query: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
}

/** The rows of a statement. */
export type RowOf<Sent> = Sent extends Statement<infer Row> ? Row : never;

/** The statements with names of the modules that are loaded: a test compares them with the database. */
export const statements = new Map<string, Statement>();

const registered = <Row>(made: Statement<Row>): Statement<Row> => {
  statements.set(made.name, made);
  return made;
};

/** Tests set what is called with each answer to a statement that declares its columns, and compare the two. */
export const answers: {
  check?: (query: Statement, answer: Pick<pg.QueryResult, 'fields' | 'rows'>) => void;
} = {};

type Tag<Row> = (text: TemplateStringsArray, ...parts: ReadonlyArray<string | number>) => Statement<Row>;

/** Tags the text of a statement with its name, and with the columns of its rows where something reads them. */
export function statement(name: string): Tag<unknown>;
export function statement<const Declared extends Columns>(
  name: string,
  columns: Declared,
): Tag<RowWith<Declared>>;
export function statement(name: string, columns?: Columns): Tag<unknown> {
  return (text, ...parts) =>
    registered({ name, text: String.raw({ raw: text }, ...parts), ...(columns && { columns }) });
}

/** The same statement with another text, whose rows have the same columns. */
export const rewritten = <Row>(query: Statement<Row>, text: string, name = query.name): Statement<Row> =>
  registered({ ...query, name, text });

/** A statement whose text depends on what is asked for: the server keeps no plan of it. */
export function composed(text: string): Statement;
export function composed<const Declared extends Columns>(
  text: string,
  columns: Declared,
): Statement<RowWith<Declared>>;
export function composed(text: string, columns?: Columns): Statement {
  return { name: '', text, ...(columns && { columns }) };
}
