import { Invalid } from '../../errors.ts';

/** Limits the nesting of JSON to far less than the stack allows. */
const maxDepth = 100;

/** Whether PostgreSQL can have such a text, in JSON too. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** @throws Invalid for a text that is not storable. */
function requireText(text: string): void {
  if (isStorableText(text)) return;
  throw new Invalid(
    text.includes('\0') ? 'a text contains a NUL character' : 'a text contains half of a surrogate pair',
  );
}

/** @throws Invalid when any part of the JSON cannot be stored. */
export function requireStorable(json: unknown): void {
  requireStorableAt(json, 0);
}

function requireStorableAt(value: unknown, depth: number): void {
  if (typeof value === 'string') requireText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= maxDepth) throw new Invalid(`the JSON is nested more than ${maxDepth} levels deep`);
  if (Array.isArray(value)) {
    for (const item of value) requireStorableAt(item, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    requireText(key);
    if (key === '__proto__') throw new Invalid('an object has a field called __proto__');
    requireStorableAt((value as Record<string, unknown>)[key], depth + 1);
  }
}
