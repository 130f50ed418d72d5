import { AppError, Invalid } from '../../errors.ts';
import { maxJsonDepth, tooDeep } from './json-budget.ts';

/** Whether PostgreSQL can store a text, also in JSON: it rejects NUL characters and lone surrogates. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** @throws Invalid if PostgreSQL cannot store the text. */
function requireText(text: string): void {
  if (isStorableText(text)) return;
  if (text.includes('\0')) throw new Invalid('a text contains a NUL character');
  throw new Invalid('a text contains half of a surrogate pair');
}

/**
 * Lists and objects with many values that were found to be storable. The JSON of a request is checked when it arrives and
 * again where it is used, so that no entry point is forgotten. Nothing changes it in between.
 */
const checked = new WeakSet<object>();
const manyValues = 100;

// A large body spends much of its time here, so nothing is allocated for each value.
/** @returns the number of values, or a number above 100 if the value has been checked before. */
function requireValue(value: unknown, depth: number): number {
  if (typeof value === 'string') requireText(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (depth >= maxJsonDepth) throw tooDeep('the JSON');
  if (checked.has(value)) return manyValues + 1;
  let count = 1;
  if (Array.isArray(value)) for (const item of value) count += requireValue(item, depth + 1);
  else
    for (const key of Object.keys(value)) {
      requireText(key);
      if (key === '__proto__') throw new Invalid('an object has a field named __proto__');
      count += requireValue((value as Readonly<Record<string, unknown>>)[key], depth + 1);
    }
  if (count > manyValues) checked.add(value);
  return count;
}

/** @throws Invalid if any part of the JSON cannot be stored; TooLarge if it is nested too deeply. */
export const requireStorable = (json: unknown): void => void requireValue(json, 0);

/**
 * Checks JSON in advance, so that `requireStorable` returns quickly later. JSON that cannot be stored is not rejected here
 * but by the later call, whose caller knows which input it is and can name it in the message.
 */
export function rememberStorable(json: unknown): void {
  try {
    requireStorable(json);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
