import { isTurnOver, yieldToEventLoop } from '../../event-loop.ts';
import { minJsonBytes } from './json-length.ts';

/** The number of bytes of JSON that are written in one step, which takes about a millisecond. */
export const jsonStepBytes = 2 ** 18;

/** A part of a JSON document: a string, or text in UTF-8. */
export type JsonPart = string | Buffer;

interface Writing {
  /** Serializes a short value. The first and the last part are strings; there are no parts for `undefined`. */
  readonly write: (value: unknown) => readonly JsonPart[];
  /** Whether a long object must be serialized by `write`, in one step. */
  readonly isWhole: (value: object) => boolean;
}

/** Whether `JSON.stringify` omits a field with this value. */
const isOmitted = (value: unknown): boolean => value === undefined || typeof value === 'function';

const hasToJson = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === 'function';

/** Serializes values as `JSON.stringify` does. */
const plain: Writing = { write: (value) => [JSON.stringify(value) ?? ''], isWhole: hasToJson };

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

function* stringSteps(text: string): Generator<JsonPart> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + jsonStepBytes, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1; // avoids splitting a character
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

/** Removes the brackets or braces around a list or object. */
function inner(parts: readonly JsonPart[]): JsonPart[] {
  const [first, ...others] = parts as readonly string[];
  const result: JsonPart[] = [String(first).slice(1), ...others];
  result.push(String(result.pop()).slice(0, -1));
  return result;
}

/** Returns the number of items, starting at `from`, that are written in one step; 0 if the first one is too long. */
function itemsOfStep(items: readonly unknown[], from: number): number {
  let [count, bytes] = [0, 0];
  for (; from + count < items.length; count += 1) {
    bytes += minJsonBytes(items[from + count], jsonStepBytes) + 1;
    if (bytes > jsonStepBytes) break;
  }
  return count;
}

function* listSteps(list: readonly unknown[], writing: Writing): Generator<JsonPart> {
  yield '[';
  for (let from = 0; from < list.length; ) {
    const count = itemsOfStep(list, from);
    if (from > 0) yield ',';
    if (count > 0) yield* inner(writing.write(list.slice(from, from + count)));
    else yield* jsonSteps(list[from], writing);
    from += Math.max(1, count);
  }
  yield ']';
}

function* objectSteps(object: Readonly<Record<string, unknown>>, writing: Writing): Generator<JsonPart> {
  const entries = Object.entries(object).filter(([, value]) => !isOmitted(value));
  const values = entries.map(([, value]) => value);
  yield '{';
  for (let from = 0; from < entries.length; ) {
    const count = itemsOfStep(values, from);
    if (from > 0) yield ',';
    if (count > 0) yield* inner(writing.write(Object.fromEntries(entries.slice(from, from + count))));
    else {
      yield `${JSON.stringify(entries[from]?.[0])}:`;
      yield* jsonSteps(values[from], writing);
    }
    from += Math.max(1, count);
  }
  yield '}';
}

/**
 * Serializes JSON in steps of about `jsonStepBytes` bytes. For a result of 10 MB, `JSON.stringify` would block the
 * event loop for 50 ms or more.
 */
export function* jsonSteps(value: unknown, writing: Writing = plain): Generator<JsonPart> {
  if (minJsonBytes(value, jsonStepBytes) <= jsonStepBytes) yield* writing.write(value);
  else if (typeof value === 'string') yield* stringSteps(value);
  else if (writing.isWhole(value as object)) yield* writing.write(value);
  else if (Array.isArray(value)) yield* listSteps(value, writing);
  else yield* objectSteps(value as Record<string, unknown>, writing);
}

/**
 * Encodes JSON that is serialized in steps. The event loop can do other work between the steps.
 * @throws RangeError if the JSON is longer than `limit` bytes
 */
export async function encodeInTurns(
  steps: Iterable<JsonPart>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const encoded: Buffer[] = [];
  let [length, text] = [0, ''];
  const add = (bytes: Buffer): void => {
    length += bytes.length;
    if (length > limit) throw new RangeError('the JSON is too long');
    encoded.push(bytes);
  };
  const flush = (): void => {
    if (text !== '') add(Buffer.from(text));
    text = '';
  };
  for (const part of steps) {
    if (typeof part === 'string') text += part;
    if (typeof part !== 'string' || text.length >= jsonStepBytes) flush();
    if (typeof part !== 'string') add(part);
    if (isTurnOver()) await yieldToEventLoop();
  }
  flush();
  return Buffer.concat(encoded, length);
}
