import type { Statement } from './database.ts';

/** Tags the text of a statement with its name. */
export const statement =
  (name: string) =>
  (text: TemplateStringsArray, ...parts: ReadonlyArray<string | number>): Statement => ({
    name,
    text: String.raw({ raw: text }, ...parts),
  });
