import { Invalid } from '../../errors.ts';
import { maxJsonDepth, tooDeep } from './json-budget.ts';

/** Whether PostgreSQL can have such a text, in JSON too. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** @throws Invalid for a text that is not storable. */
function requireText(text: string): void {
  if (isStorableText(text)) return;
  if (text.includes('\0')) throw new Invalid('a text contains a NUL character');
  throw new Invalid('a text contains half of a surrogate pair');
}

/**
 * Long lists and objects that were found to be storable. The JSON of a call is checked where it arrives and again
 * where it is used, so that no way in is forgotten; nothing changes it in between.
 */
const known = new WeakSet<object>();
const longParts = 100;

// Large bodies spend much of their time here: an array is walked by its index, and no value gets an object of
// its own.
function requireValue(value: unknown, depth: number): void {
  if (typeof value === 'string') requireText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= maxJsonDepth) throw tooDeep('the JSON');
  if (known.has(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) requireValue(item, depth + 1);
    if (value.length > longParts) known.add(value);
    return;
  }
  const keys = Object.keys(value);
  for (const key of keys) {
    requireText(key);
    if (key === '__proto__') throw new Invalid('an object has a field called __proto__');
    requireValue((value as Readonly<Record<string, unknown>>)[key], depth + 1);
  }
  if (keys.length > longParts) known.add(value);
}

/** @throws Invalid when any part of the JSON cannot be stored; TooLarge when it is nested too deep. */
export const requireStorable = (json: unknown): void => requireValue(json, 0);
