import { Invalid } from '../errors.ts';

/** The maximum number of documents or blobs in an input, a parameter or a variable. */
const maxItems = 1000;

/** @returns an error message if there are too many items */
export const tooMany = (kind: string, { length }: readonly unknown[]): string | undefined =>
  length > maxItems ? `${length} ${kind} exceed the limit of ${maxItems}` : undefined;

/** @throws Invalid if there are too many items */
export function requireFew(name: string, kind: string, items: readonly unknown[]): void {
  const fault = tooMany(kind, items);
  if (fault !== undefined) throw new Invalid(`${name}: ${fault}.`);
}
