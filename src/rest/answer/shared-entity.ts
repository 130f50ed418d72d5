import { randomUUID } from 'node:crypto';
import type { JsonPart } from '../../model/values/json-steps.ts';

/** The JSON of the shared entities that have already been serialized for a response. */
export type SharedTexts = Map<SharedEntity, Buffer>;

// The prefix of placeholders. It is random and never leaves the process, so no value from a client can contain it.
const mark = randomUUID();

const opening = `"${mark}`;

/** The shared entities that the current, synchronous call of `JSON.stringify` has encountered so far. */
let met: SharedEntity[] | undefined;

/** The size of a value's JSON without the nested entities and lists in it. */
export interface OwnSize {
  /** An upper bound on the number of bytes. */
  bytes: number;
  readonly entities: SharedEntity[];
  readonly lists: NestedList[];
}

/** Set while `ownSize` runs, so that nested entities and lists are collected here instead of being serialized. */
let measuring: OwnSize | undefined;

/**
 * An entity that can appear several times in a response but is serialized only once. During serialization, each
 * occurrence is written as a placeholder, which `jsonParts` replaces with the cached bytes.
 */
export class SharedEntity {
  [field: string]: unknown;

  #isRepeated = false;

  get isRepeated(): boolean {
    return this.#isRepeated;
  }

  set isRepeated(isRepeated: boolean) {
    this.#isRepeated = isRepeated;
  }

  /** Returns a placeholder while `jsonParts` is running. Otherwise the entity is serialized like a plain object. */
  toJSON(): unknown {
    if (measuring) {
      measuring.entities.push(this);
      return 0;
    }
    if (!met || !this.#isRepeated) return this;
    met.push(this);
    return `${mark}${met.length - 1}`;
  }
}

/** A list of nested entities. It can be truncated if the response is too long. */
export class NestedList extends Array<unknown> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  #envelope: Record<string, unknown> | undefined;
  #total = 0;

  /** Sets the object that receives `resultsCount`, the total number of entries, if this list is truncated. */
  setEnvelope(envelope: Record<string, unknown>, total: number): void {
    this.#envelope = envelope;
    this.#total = total;
  }

  cut(length: number): void {
    if (length >= this.length) return;
    this.length = length;
    if (this.#envelope) this.#envelope.resultsCount = this.#total;
  }

  toJSON(): unknown {
    if (!measuring) return this;
    measuring.lists.push(this);
    return [];
  }
}

/**
 * Measures a value without the nested entities and lists in it.
 * @param value can itself be a nested entity, which is then measured
 */
export function ownSize(value: unknown): OwnSize {
  const size: OwnSize = { bytes: 0, entities: [], lists: [] };
  measuring = size;
  try {
    const whole = value instanceof SharedEntity ? { ...value } : value;
    size.bytes = Buffer.byteLength(JSON.stringify(whole) ?? '');
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    size.bytes = Number.POSITIVE_INFINITY; // The JSON exceeds the maximum length of a string.
  } finally {
    measuring = undefined;
  }
  return size;
}

function textWithMarks(value: unknown): { text: string | undefined; inside: readonly SharedEntity[] } {
  const inside: SharedEntity[] = [];
  met = inside;
  try {
    return { text: JSON.stringify(value), inside };
  } finally {
    met = undefined;
  }
}

function* splitAtMarks(
  text: string,
  inside: readonly SharedEntity[],
  jsonOf: (entity: SharedEntity) => Buffer,
): Generator<JsonPart> {
  let end = 0;
  for (const [index, entity] of inside.entries()) {
    const start = text.indexOf(opening, end);
    yield text.slice(end, start);
    yield jsonOf(entity);
    end = start + opening.length + String(index).length + 1;
  }
  yield text.slice(end);
}

/** The length of a part in bytes. */
export const bytesOfPart = (part: JsonPart): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

const sizeOfAll = (parts: readonly JsonPart[]): number =>
  parts.reduce((sum, part) => sum + bytesOfPart(part), 0);

/**
 * The maximum length of text that is sent as a string. Node writes a string together with the response headers, but
 * bytes separately. Node encodes up to 16 kB without allocating memory.
 */
const shortText = 4_000;

/**
 * Combines the parts of a response into a string if it is short, and into bytes otherwise.
 * @throws RangeError if the result is longer than `limit` bytes
 */
export function sentOf(parts: readonly JsonPart[], limit: number): JsonPart {
  const [first, ...others] = parts;
  const isShort = typeof first === 'string' && others.length === 0 && first.length <= shortText;
  return isShort && first.length * 3 <= limit ? first : joined(parts, limit);
}

/**
 * Concatenates the parts.
 * @throws RangeError if the result is longer than `limit` bytes
 */
export function joined(parts: readonly JsonPart[], limit: number): Buffer {
  const length = sizeOfAll(parts);
  if (length > limit) throw new RangeError('the JSON is too long');
  const whole = Buffer.allocUnsafe(length);
  let at = 0;
  for (const part of parts) at += typeof part === 'string' ? whole.write(part, at) : part.copy(whole, at);
  return whole;
}

/**
 * Like `JSON.stringify`, but returns parts, so that every shared entity is serialized and encoded only once.
 * @param texts a cache of serialized entities, to which this function adds
 * @returns the parts, beginning and ending with a string; empty if the value cannot be represented in JSON
 * @throws RangeError if an entity is longer than `limit` bytes
 */
export function jsonParts(value: unknown, texts: SharedTexts, limit: number): JsonPart[] {
  const { text, inside } = textWithMarks(value);
  if (text === undefined) return [];
  if (inside.length === 0) return [text];
  const jsonOf = (entity: SharedEntity): Buffer => {
    const known = texts.get(entity) ?? joined(jsonParts({ ...entity }, texts, limit), limit);
    texts.set(entity, known);
    return known;
  };
  return [...splitAtMarks(text, inside, jsonOf)];
}
