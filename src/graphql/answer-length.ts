import type { ExecutionResult } from 'graphql';
import { bytesText, TooLarge } from '../errors.ts';
import { minJsonBytes } from '../model/values/json-length.ts';

/**
 * The maximum ratio of the actual length of JSON to the estimate of `minJsonBytes`, which counts a character or a
 * number as one byte: a number takes up to 24 bytes, an escaped character such as `\u001f` six.
 */
const maxBytesOfCharacter = 24;

/**
 * Checks the length of a result. The exact length is computed only when the estimate does not decide.
 * @throws TooLarge when the JSON of the result is longer than `limit` bytes
 */
export function requireShortResult({ data }: ExecutionResult, limit: number): void {
  const least = minJsonBytes(data, limit);
  if (least * maxBytesOfCharacter <= limit) return;
  if (least <= limit && Buffer.byteLength(JSON.stringify({ data })) <= limit) return;
  throw new TooLarge(
    `The answer would be longer than ${bytesText(limit)}. Ask for fewer entries, by "pageSize", or for fewer fields.`,
  );
}
