import { Invalid } from '../errors.ts';
import { QueryFault } from './query-fault.ts';

/** The maximum number of characters in a query, and in each of its parameters. */
const maxCharacters = 100_000;

// The limits of one query, over all its parts. They are needed in addition to the statement timeout, because PostgreSQL
// does not check the timeout while it plans a statement, and planning time grows with the size of the statement.
// docs/search.md has the planning time of the worst query within these limits.
const limits = {
  conditions: 500,
  parameters: 10_000,
  values: 10_000,
  'words to look for': 200,
  'properties to sort by': 20,
  columns: 100,
  'fields to highlight': 20,
} as const;

/** Counts the parts of a query while it is parsed and compiled, and rejects a query that exceeds a limit. */
export class QueryBudget {
  readonly #spent = new Map<keyof typeof limits, number>();

  /** @throws QueryFault that names the exceeded limit. */
  spend(part: keyof typeof limits, amount = 1): void {
    const spent = (this.#spent.get(part) ?? 0) + amount;
    if (spent > limits[part]) throw new QueryFault(`more than ${limits[part]} ${part}`);
    this.#spent.set(part, spent);
  }
}

/** @throws Invalid if the text is longer than a query or parameter can be. */
export function requireShort(name: string, text: string): void {
  if (text.length > maxCharacters) throw new Invalid(`${name}: longer than ${maxCharacters} characters`);
}
