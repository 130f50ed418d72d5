/** SQL. The server keeps the plan under the name, whose text must not change; an empty name keeps none. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Finds a few rows by a key: it shares a connection with the statements of other requests. */
  readonly isQuick?: true;
  /** Is called with the number of rows that it has found or changed, in a transaction only. */
  readonly counted?: (rows: number) => void;
  /**
   * Is called with the bytes of each row before the row is parsed. The error that it returns ends the
   * statement: outside of a transaction its connection is closed, unless it is shared.
   */
  readonly received?: ((bytes: number, rows: number) => Error | undefined) | undefined;
}

/** Tags the text of a statement with its name. */
export const statement =
  (name: string) =>
  (text: TemplateStringsArray, ...parts: ReadonlyArray<string | number>): Statement => ({
    name,
    text: String.raw({ raw: text }, ...parts),
  });
