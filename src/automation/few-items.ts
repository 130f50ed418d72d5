import { Invalid } from '../errors.ts';

/** Documents, or blobs, in an input, a parameter or a variable. */
const maxItems = 1000;

/** @returns a text that says so, when there are too many */
export const tooMany = (kind: string, { length }: readonly unknown[]): string | undefined =>
  length > maxItems ? `${length} ${kind}, at most ${maxItems}` : undefined;

/** @throws Invalid */
export function requireFew(name: string, kind: string, items: readonly unknown[]): void {
  const fault = tooMany(kind, items);
  if (fault !== undefined) throw new Invalid(`${name}: ${fault}`);
}
