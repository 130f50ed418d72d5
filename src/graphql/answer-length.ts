import type { ExecutionResult } from 'graphql';
import { bytesText, TooLarge } from '../errors.ts';
import { minJsonBytes } from '../model/values/json-length.ts';

/** A character takes six bytes at most, such as `\u001f`, and a number, which `minJsonBytes` counts as one, 24. */
const maxBytesOfCharacter = 24;

/** @throws TooLarge when the JSON of a result is longer than `limit` bytes. */
export function requireShortResult({ data }: ExecutionResult, limit: number): void {
  const least = minJsonBytes(data, limit);
  if (least * maxBytesOfCharacter <= limit) return;
  if (least <= limit && Buffer.byteLength(JSON.stringify({ data })) <= limit) return;
  throw new TooLarge(
    `The answer would be longer than ${bytesText(limit)}. Ask for fewer entries, by "pageSize", or for fewer fields.`,
  );
}
