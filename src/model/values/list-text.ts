import { JsonBudget, parseJsonOrNothing } from './json-budget.ts';

/** Splits a stored string, or a string from a URL, at commas. Items are trimmed, and empty ones are omitted. */
export const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/**
 * Splits a string from a request body at commas.
 * @throws TooLarge if it has more items than the limit on JSON values allows
 */
export function splitSentList(text: string, budget = new JsonBudget()): string[] {
  budget.spendItems(text, ',', 'the list');
  return splitAtCommas(text);
}

export const isJsonList = (text: string): boolean => /^\s*\[/.test(text);

/**
 * Reads a list from a string that is JSON or comma-separated. Returns undefined if the JSON is invalid.
 * @throws TooLarge if a limit is exceeded
 */
export function readListText(text: string, budget = new JsonBudget()): unknown[] | undefined {
  if (!isJsonList(text)) return splitSentList(text, budget);
  const list = parseJsonOrNothing(text, 'the list', budget);
  return list === undefined ? undefined : [list].flat();
}
