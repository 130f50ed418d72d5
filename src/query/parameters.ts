import { QueryFault } from './query-fault.ts';

/** @throws Invalid on NUL, which PostgreSQL refuses. */
export function requireNoNul(text: string): void {
  if (text.includes('\0')) throw new QueryFault('a text with the character NUL');
}

/** Collects the parameters of an SQL statement while its text is built: equal texts once. */
export class SqlParameters {
  readonly values: unknown[];
  readonly #texts = new Map<string, number>();

  /** @param values the parameters so far, to which more are added. */
  constructor(values: unknown[]) {
    this.values = values;
  }

  /** @returns the SQL of the value, such as `$4::text`. @throws Invalid on NUL */
  add(value: unknown, type: string): string {
    for (const one of [value].flat()) if (typeof one === 'string') requireNoNul(one);
    const text = typeof value === 'string' ? `${type} ${value}` : `${type}[] ${JSON.stringify(value)}`;
    const known = this.#texts.get(text) ?? this.values.push(value);
    this.#texts.set(text, known);
    return `$${known}::${type}`;
  }

  /** A statement with those parameters alone that are in its text: PostgreSQL refuses others. */
  statement(text: string): { readonly text: string; readonly values: readonly unknown[] } {
    const places = new Map<string, number>();
    const renumbered = text.replace(/\$(\d+)/g, (_, number: string) => {
      const place = places.get(number) ?? places.size + 1;
      places.set(number, place);
      return `$${place}`;
    });
    return { text: renumbered, values: [...places.keys()].map((number) => this.values[Number(number) - 1]) };
  }
}
