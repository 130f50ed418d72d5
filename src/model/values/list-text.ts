import { JsonBudget, parseJsonOrNothing } from './json-budget.ts';

/** Splits a stored text, or one from a URL, at its commas. Items are trimmed, and empty ones left out. */
export const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** Splits a text from a body at its commas. @throws TooLarge if it has more items than JSON can have values. */
export function splitSentList(text: string, budget = new JsonBudget()): string[] {
  budget.spendItems(text, ',', 'the list');
  return splitAtCommas(text);
}

export const isJsonList = (text: string): boolean => /^\s*\[/.test(text);

/**
 * Reads a list from text, which is JSON or comma-separated; undefined for invalid JSON.
 * @throws TooLarge beyond the limits.
 */
export function readListText(text: string, budget = new JsonBudget()): unknown[] | undefined {
  if (!isJsonList(text)) return splitSentList(text, budget);
  const list = parseJsonOrNothing(text, 'the list', budget);
  return list === undefined ? undefined : [list].flat();
}
