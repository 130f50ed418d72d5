import { Invalid } from '../errors.ts';
import { QueryFault } from './query-fault.ts';

/** The most characters of a query, and of each text that it is given. */
const maxCharacters = 100_000;

// What all parts of one query may have together. PostgreSQL plans a statement before it looks at its time:
// docs/search.md has the planning time of the worst query that is within these bounds.
const limits = {
  conditions: 500,
  parameters: 10_000,
  values: 10_000,
  'words to look for': 200,
  'properties to sort by': 20,
  columns: 100,
  'fields to highlight': 20,
} as const;

/** Counts the work of a query while it is parsed and compiled. */
export class QueryBudget {
  readonly #spent = new Map<keyof typeof limits, number>();

  /** @throws Invalid which names what was too much, and the bound. */
  spend(part: keyof typeof limits, amount = 1): void {
    const spent = (this.#spent.get(part) ?? 0) + amount;
    if (spent > limits[part]) throw new QueryFault(`more than ${limits[part]} ${part}`);
    this.#spent.set(part, spent);
  }
}

export function requireShort(name: string, text: string): void {
  if (text.length > maxCharacters) throw new Invalid(`${name}: longer than ${maxCharacters} characters`);
}
