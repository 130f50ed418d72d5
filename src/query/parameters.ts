import { Invalid } from '../errors.ts';

/** Collects the parameters of an SQL statement while its text is built. */
export class SqlParameters {
  readonly values: unknown[];

  constructor(first: readonly unknown[]) {
    this.values = [...first];
  }

  /** @returns the SQL of the value, such as `$4::text`. @throws Invalid on NUL, which PostgreSQL refuses. */
  add(value: unknown, type: string): string {
    if ([value].flat().some((one) => typeof one === 'string' && one.includes('\0'))) {
      throw new Invalid('query: a text with the character NUL');
    }
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
