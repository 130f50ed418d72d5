import type { ExecutionResult } from 'graphql';
import { bytesText, TooLarge } from '../errors.ts';
import { minJsonBytes } from '../model/values/json-length.ts';
import { encodeInTurns, jsonStepBytes, jsonSteps } from '../model/values/json-steps.ts';

/**
 * The maximum ratio of the actual length of JSON to the estimate of `minJsonBytes`, which counts one byte per character
 * or number. A number takes up to 24 bytes, and an escaped character such as `\u001f` takes six.
 */
const maxBytesOfCharacter = 24;

/** A result that yoga serializes by calling `stringify` and sending what it returns. */
type Serializable = ExecutionResult & { readonly stringify?: (result: ExecutionResult) => string };

/** Combines the JSON of `{"data": …}` with the other fields of the result, such as the errors. */
function withOthers(data: Buffer, { data: _, ...result }: Serializable): Buffer {
  const { stringify: __, ...others } = result;
  const json = JSON.stringify(others);
  return json === '{}' ? data : Buffer.concat([Buffer.from(`${json.slice(0, -1)},`), data.subarray(1)]);
}

/**
 * Serializes the data of a long result in several turns of the event loop. Short results are serialized later by yoga.
 * @returns the result, with its JSON if it is long
 * @throws TooLarge if the JSON of the data is longer than `limit` bytes
 */
export async function serializeLong(result: ExecutionResult, limit: number): Promise<ExecutionResult> {
  const { data } = result;
  const short = Math.min(jsonStepBytes, limit / maxBytesOfCharacter);
  if (minJsonBytes(data, short) <= short) return result;
  try {
    if (minJsonBytes(data, limit) > limit) throw new RangeError('the data is too long');
    const json = await encodeInTurns(jsonSteps({ data }), limit);
    // yoga passes the result to `Response`, which accepts bytes as well as strings. `over-http.test.ts` verifies this.
    const stringify = (complete: ExecutionResult) => withOthers(json, complete) as unknown as string;
    const serializable: Serializable = { ...result, stringify };
    return serializable;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TooLarge(
      `The response would be larger than ${bytesText(limit)}. Request fewer entries with "pageSize", or fewer fields.`,
    );
  }
}
