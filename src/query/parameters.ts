import { Invalid } from '../errors.ts';

/** @throws Invalid on NUL, which PostgreSQL refuses. */
export function requireNoNul(text: string): void {
  if (text.includes('\0')) throw new Invalid('query: a text with the character NUL');
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

  /** Forgets all but the first of them: PostgreSQL refuses parameters that the text does not have. */
  keep(count: number): void {
    this.values.length = count;
    for (const [text, number] of this.#texts) if (number > count) this.#texts.delete(text);
  }
}
