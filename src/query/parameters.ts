import { QueryFault } from './query-fault.ts';

/** @throws QueryFault if the text contains a NUL character, which PostgreSQL rejects */
export function requireNoNul(text: string): void {
  if (text.includes('\0')) throw new QueryFault('strings must not contain the NUL character');
}

/** Collects the parameters of a SQL statement while its text is being built. Equal values share a parameter. */
export class SqlParameters {
  readonly values: unknown[];
  readonly #texts = new Map<string, number>();

  /** @param values the existing parameters, to which new ones are appended. */
  constructor(values: unknown[]) {
    this.values = values;
  }

  /**
   * Adds a value.
   * @returns the SQL of the parameter, such as `$4::text`
   * @throws QueryFault if the value contains a NUL character
   */
  add(value: unknown, type: string): string {
    for (const one of [value].flat()) if (typeof one === 'string') requireNoNul(one);
    const text = typeof value === 'string' ? `${type} ${value}` : `${type}[] ${JSON.stringify(value)}`;
    const number = this.#texts.get(text) ?? this.values.push(value);
    this.#texts.set(text, number);
    return `$${number}::${type}`;
  }

  /**
   * Builds a statement with only the parameters that its text contains, and renumbers them, because PostgreSQL
   * rejects unused parameters.
   */
  statement(text: string): { readonly text: string; readonly values: readonly unknown[] } {
    const places = new Map<string, number>();
    const renumbered = text.replace(/\$(\d+)/g, (_, text: string) => {
      const place = places.get(text) ?? places.size + 1;
      places.set(text, place);
      return `$${place}`;
    });
    return { text: renumbered, values: [...places.keys()].map((number) => this.values[Number(number) - 1]) };
  }
}
