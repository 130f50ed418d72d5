import { Invalid } from '../../errors.ts';

/** Limits the nesting of JSON to far less than the stack allows. */
const maxDepth = 100;

/** Whether PostgreSQL can have such a text, in JSON too. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** @throws Invalid for a text that is not storable. */
function requireText(text: string): void {
  if (text.includes('\0')) throw new Invalid('a text contains a NUL character');
  if (!isStorableText(text)) throw new Invalid('a text contains half of a surrogate pair');
}

/** @throws Invalid when any part of the JSON cannot be stored. */
export function requireStorable(json: unknown): void {
  const rest: Array<{ value: unknown; depth: number }> = [{ value: json, depth: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') requireText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= maxDepth) throw new Invalid(`the JSON is nested more than ${maxDepth} levels deep`);
    for (const [key, inner] of Object.entries(value)) {
      requireText(key);
      if (key === '__proto__') throw new Invalid('an object has a field called __proto__');
      rest.push({ value: inner, depth: depth + 1 });
    }
  }
}
