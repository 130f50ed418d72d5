/** SQL. The server keeps the plan under the name, whose text must not change; an empty name keeps none. */
export interface Statement {
  readonly name: string;
  readonly text: string;
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
  query<Row>(query: Statement, values: readonly unknown[]): Promise<Row[]>;
}

/** Tags the text of a statement with its name. */
export const statement =
  (name: string) =>
  (text: TemplateStringsArray, ...parts: ReadonlyArray<string | number>): Statement => ({
    name,
    text: String.raw({ raw: text }, ...parts),
  });
