import { JsonBudget, parseJsonOrNothing } from './json-budget.ts';

/** The trimmed items of a comma-separated text that the server stores or that an address holds, without empty ones. */
export const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** The same for a text of a body. @throws TooLarge for more items than JSON may have values. */
export function splitSentList(text: string, budget = new JsonBudget()): string[] {
  budget.spendItems(text, ',', 'the list');
  return splitAtCommas(text);
}

export const isJsonList = (text: string): boolean => /^\s*\[/.test(text);

/** Reads a list from text: JSON, or comma-separated items; undefined on faulty JSON. @throws TooLarge */
export function readListText(text: string, budget = new JsonBudget()): unknown[] | undefined {
  if (!isJsonList(text)) return splitSentList(text, budget);
  const list = parseJsonOrNothing(text, 'the list', budget);
  return list === undefined ? undefined : [list].flat();
}
