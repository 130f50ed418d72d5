import type { ExecutionResult } from 'graphql';
import { bytesText, TooLarge } from '../errors.ts';

/** A character takes six bytes at most, such as `\u001f`, and a number, which counts as one, 24. */
const maxBytesOfCharacter = 24;

/** Characters of the JSON of a value, at least; counting ends above the limit. */
function charactersOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 2;
  for (const key in value) {
    const name = Array.isArray(value) ? 1 : key.length + 4;
    sum += name + charactersOf((value as Record<string, unknown>)[key], limit - sum);
    if (sum > limit) break;
  }
  return sum;
}

/** @throws TooLarge when the JSON of a result is longer than `limit` bytes. */
export function requireShortResult({ data }: ExecutionResult, limit: number): void {
  const characters = charactersOf(data, limit);
  if (characters * maxBytesOfCharacter <= limit) return;
  if (characters <= limit && Buffer.byteLength(JSON.stringify({ data })) <= limit) return;
  throw new TooLarge(
    `The answer would be longer than ${bytesText(limit)}. Ask for fewer entries, by "pageSize", or for fewer fields.`,
  );
}
