import { AppError, Invalid } from '../../errors.ts';
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
 * Lists and objects of many values that were found to be storable. The JSON of a call is checked where it arrives and again
 * where it is used, so that no way in is forgotten; nothing changes it in between.
 */
const known = new WeakSet<object>();
const manyValues = 100;

// Large bodies spend much of their time here: an array is walked by its index, and no value gets an object of
// its own.
/** @returns how many values it is, or more than 100 when it is known to be storable. */
function requireValue(value: unknown, depth: number): number {
  if (typeof value === 'string') requireText(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (depth >= maxJsonDepth) throw tooDeep('the JSON');
  if (known.has(value)) return manyValues + 1;
  let count = 1;
  if (Array.isArray(value)) for (const item of value) count += requireValue(item, depth + 1);
  else
    for (const key of Object.keys(value)) {
      requireText(key);
      if (key === '__proto__') throw new Invalid('an object has a field called __proto__');
      count += requireValue((value as Readonly<Record<string, unknown>>)[key], depth + 1);
    }
  if (count > manyValues) known.add(value);
  return count;
}

/** @throws Invalid when any part of the JSON cannot be stored; TooLarge when it is nested too deep. */
export const requireStorable = (json: unknown): void => void requireValue(json, 0);

/**
 * Checks JSON before it is used, so that `requireStorable` has little left to do while it is. What cannot be stored is
 * refused there, by those who know what the JSON stands for.
 */
export function rememberStorable(json: unknown): void {
  try {
    requireStorable(json);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
