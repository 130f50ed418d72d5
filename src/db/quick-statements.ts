import type { Statement } from './statement.ts';

const fewKeys = 100;

/** A statement that finds a few rows for each key: it is a quick one when the keys are few. */
export function quickForFewKeys(query: Statement): (keys: readonly unknown[]) => Statement {
  const quick: Statement = { ...query, isQuick: true };
  return (keys) => (keys.length <= fewKeys ? quick : query);
}
