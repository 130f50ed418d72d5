import { AppError, Invalid } from '../../errors.ts';
import { maxJsonDepth, tooDeep } from './json-budget.ts';

/**
 * Returns whether PostgreSQL can store a string, either by itself or within JSON. It rejects NUL characters and lone
 * surrogates.
 */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** @throws Invalid if PostgreSQL cannot store the string */
function requireText(text: string): void {
  if (isStorableText(text)) return;
  if (text.includes('\0')) throw new Invalid('strings must not contain the NUL character');
  throw new Invalid('strings must not contain unpaired surrogates');
}

/**
 * Lists and objects with many values, or with long strings, that are known to be storable. The JSON of a request is
 * checked when it arrives, and again where it is used, so that no entry point can be missed. The JSON does not change
 * in between.
 */
const checked = new WeakSet<object>();
const manyValues = 100;

/** The number of characters that take as long to check as one value. */
const charactersPerValue = 1_000;

// For a large body, this function accounts for much of the processing time, so it allocates nothing per value.
/**
 * @returns the number of values plus the number of thousands of characters; above 100 if the value has already been
 * checked
 */
function requireValue(value: unknown, depth: number): number {
  if (typeof value === 'string') {
    requireText(value);
    return 1 + Math.floor(value.length / charactersPerValue);
  }
  if (typeof value !== 'object' || value === null) return 1;
  if (depth >= maxJsonDepth) throw tooDeep('the JSON');
  if (checked.has(value)) return manyValues + 1;
  let count = 1;
  if (Array.isArray(value)) for (const item of value) count += requireValue(item, depth + 1);
  else
    for (const key of Object.keys(value)) {
      requireText(key);
      if (key === '__proto__') throw new Invalid('objects must not have a field named __proto__');
      count += requireValue((value as Readonly<Record<string, unknown>>)[key], depth + 1);
    }
  if (count > manyValues) checked.add(value);
  return count;
}

/** @throws Invalid if any part of the JSON cannot be stored; TooLarge if it is nested too deeply */
export const requireStorable = (json: unknown): void => void requireValue(json, 0);

/**
 * Checks JSON in advance, so that a later `requireStorable` returns quickly. Errors are ignored here, because the later
 * call throws them again and its caller can name the invalid input in the message.
 */
export function rememberStorable(json: unknown): void {
  try {
    requireStorable(json);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
