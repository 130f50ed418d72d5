import { randomUUID } from 'node:crypto';

/** Bytes that are serialized in one turn of the event loop, some 3 ms. */
export const bytesPerTurn = 2 ** 19;

/** The JSON of entities that one answer has shown already. */
export type SharedTexts = Map<SharedEntity, Buffer>;

// No value of a client can hold it: it never leaves the process.
const mark = randomUUID();

const opening = `"${mark}`;

/** The shared entities met by the `JSON.stringify` under way, which is synchronous. */
let met: SharedEntity[] | undefined;

/** The size of the JSON of a value without the nested entities and lists in it. */
export interface OwnSize {
  /** At least as many bytes as it takes. */
  bytes: number;
  readonly entities: SharedEntity[];
  readonly lists: NestedList[];
}

/** Where the `JSON.stringify` under way puts nested entities and lists instead of serializing them. */
let measuring: OwnSize | undefined;

/** An entity that an answer may show many times: it is serialized once. */
export class SharedEntity {
  [field: string]: unknown;

  #isRepeated = false;

  set isRepeated(isRepeated: boolean) {
    this.#isRepeated = isRepeated;
  }

  /** Elsewhere than in `stringifyShared` it is a plain object. */
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

/** A list of nested entities, which is cut where the answer would be too long otherwise. */
export class NestedList extends Array<unknown> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  #envelope: Record<string, unknown> | undefined;
  #total = 0;

  /** Names the object that says how many entries there are if the list is cut. */
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

/** @param value measured itself where it is a nested entity. */
export function ownSize(value: unknown): OwnSize {
  const size: OwnSize = { bytes: 0, entities: [], lists: [] };
  measuring = size;
  try {
    const whole = value instanceof SharedEntity ? { ...value } : value;
    size.bytes = Buffer.byteLength(JSON.stringify(whole) ?? '');
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    size.bytes = Number.POSITIVE_INFINITY; // longer than a text can be
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

/** A part of some JSON: a text, or the bytes of an entity that others may share. */
export type JsonPart = string | Buffer;

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

const sizeOf = (part: JsonPart): number => (typeof part === 'string' ? Buffer.byteLength(part) : part.length);

export const sizeOfAll = (parts: readonly JsonPart[]): number =>
  parts.reduce((sum, part) => sum + sizeOf(part), 0);

/** One copy of everything. @throws RangeError when it would be longer than `limit` bytes. */
export function joined(parts: readonly JsonPart[], limit: number): Buffer {
  const length = sizeOfAll(parts);
  if (length > limit) throw new RangeError('the JSON is too long');
  const whole = Buffer.allocUnsafe(length);
  let at = 0;
  for (const part of parts) at += typeof part === 'string' ? whole.write(part, at) : part.copy(whole, at);
  return whole;
}

/**
 * The parts of `JSON.stringify`, in which entities inside are serialized and encoded once for each of
 * `texts`. The first and the last part are texts; there is none where JSON has no such value.
 * @throws RangeError when an entity would be longer than `limit` bytes.
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
