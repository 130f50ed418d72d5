import { Invalid } from '../errors.ts';
import { QueryFault } from './query-fault.ts';

/** The maximum number of characters in a query, and in each of its parameters. */
const maxCharacters = 100_000;

// The limits on the size of a query. The statement timeout alone is not sufficient, because PostgreSQL does not check
// it while planning a statement, and the planning time grows with the size of the statement. docs/search.md gives the
// planning time of the most expensive query within these limits.
const limits = {
  conditions: 500,
  parameters: 10_000,
  values: 10_000,
  'words to search for': 200,
  'properties to sort by': 20,
  columns: 100,
  'fields to highlight': 20,
} as const;

/** Counts the parts of a query while the query is being parsed and compiled, and rejects it if it exceeds a limit. */
export class QueryBudget {
  readonly #spent = new Map<keyof typeof limits, number>();

  /** @throws QueryFault, which names the exceeded limit */
  spend(part: keyof typeof limits, amount = 1): void {
    const spent = (this.#spent.get(part) ?? 0) + amount;
    if (spent > limits[part]) throw new QueryFault(`too many ${part}: the maximum is ${limits[part]}`);
    this.#spent.set(part, spent);
  }
}

/** @throws Invalid if the text is too long for a query or a parameter */
export function requireShort(name: string, text: string): void {
  if (text.length > maxCharacters)
    throw new Invalid(`${name} must not be longer than ${maxCharacters} characters`);
}
