import type pg from 'pg';
import type { Columns, RowWith } from './columns.ts';

/**
 * A SQL statement. PostgreSQL keeps its plan under the name, so each name must always have the same text. A statement
 * with an empty name is not prepared.
 */
export interface Statement<Row = unknown> {
  readonly name: string;
  readonly text: string;
  /** The types of the columns in its rows; absent if nothing reads them. */
  readonly columns?: Columns;
  /** Never set; it carries the type of the rows. */
  readonly row?: Row;
  /** The statement finds a few rows by a key, so it can share a connection with statements of other requests. */
  readonly isQuick?: true;
  /**
   * The statement reads rows of many bytes. Outside of a transaction, it waits for other large reads of its user, and
   * requests each row only after the one before has been parsed. It thus takes turns with other statements, and its
   * connection stays usable if `received` ends it.
   */
  readonly isLarge?: true | undefined;
  /** Called with the number of rows that the statement found or changed. */
  readonly counted?: (rows: number) => void;
  /**
   * Called with the number of bytes of each row before the row is parsed. If it returns an error, the statement ends with
   * this error. Outside of a transaction, its connection is then closed, unless it is shared or the statement `isLarge`.
   */
  readonly received?: ((bytes: number, rows: number) => Error | undefined) | undefined;
}

/** Something that sends SQL. */
export interface Querying {
  /** Sends a statement, whose columns have the names of fields in Prisma's models. */
  query<Row>(query: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
}

/** The type of a statement's rows. */
export type RowOf<Sent> = Sent extends Statement<infer Row> ? Row : never;

/** All named statements of loaded modules. A test runs them against the database. */
export const statements = new Map<string, Statement>();

const registered = <Row>(made: Statement<Row>): Statement<Row> => {
  statements.set(made.name, made);
  return made;
};

/** A hook for tests. It is called with each answer to a statement that declares its columns, and compares the two. */
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

/** Makes a statement with another text from one whose rows have the same columns. */
export const rewritten = <Row>(query: Statement<Row>, text: string, name = query.name): Statement<Row> =>
  registered({ ...query, name, text });

/** Makes a statement without a name, for texts that depend on the request. PostgreSQL keeps no plan for it. */
export function composed(text: string): Statement;
export function composed<const Declared extends Columns>(
  text: string,
  columns: Declared,
): Statement<RowWith<Declared>>;
export function composed(text: string, columns?: Columns): Statement {
  return { name: '', text, ...(columns && { columns }) };
}
