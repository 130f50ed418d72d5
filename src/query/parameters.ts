import { Invalid } from '../errors.ts';

/** The values of a statement that is being written: they are numbered as they are mentioned, and never in its text. */
export class Parameters {
  readonly values: unknown[];

  /** @param fixed the values that the statement begins with. */
  constructor(fixed: readonly unknown[]) {
    this.values = [...fixed];
  }

  /** Mentions a value of a type: `$4::text`. @throws Invalid on NUL, which no text of the database has. */
  add(value: unknown, type: string): string {
    if ([value].flat().some((one) => typeof one === 'string' && one.includes('\0'))) {
      throw new Invalid('query: a text with the character NUL');
    }
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
