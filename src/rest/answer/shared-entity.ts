import { randomUUID } from 'node:crypto';

/** The JSON of entities that one answer has shown already. */
export type SharedTexts = Map<SharedEntity, Buffer>;

// No value of a client can hold it: it never leaves the process.
const mark = randomUUID();

const opening = `"${mark}`;

/** The shared entities met by the `JSON.stringify` under way, which is synchronous. */
let met: SharedEntity[] | undefined;

/** An entity that an answer may show many times: it is serialized once. */
export class SharedEntity {
  [field: string]: unknown;

  #isRepeated = false;

  set isRepeated(isRepeated: boolean) {
    this.#isRepeated = isRepeated;
  }

  /** Elsewhere than in `stringifyShared` it is a plain object. */
  toJSON(): unknown {
    if (!met || !this.#isRepeated) return this;
    met.push(this);
    return `${mark}${met.length - 1}`;
  }
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

/** The text between marks, and the JSON of the entities in their places. */
function partsOf(text: string, inside: readonly SharedEntity[], jsonOf: (entity: SharedEntity) => Buffer) {
  const parts: Array<string | Buffer> = [];
  let end = 0;
  for (const [index, entity] of inside.entries()) {
    const start = text.indexOf(opening, end);
    parts.push(text.slice(end, start), jsonOf(entity));
    end = start + opening.length + String(index).length + 1;
  }
  parts.push(text.slice(end));
  return parts;
}

const sizeOf = (part: string | Buffer): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

function joined(parts: ReadonlyArray<string | Buffer>, limit: number): Buffer {
  const length = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  if (length > limit) throw new RangeError('the JSON is too long');
  const whole = Buffer.allocUnsafe(length);
  let at = 0;
  for (const part of parts) at += typeof part === 'string' ? whole.write(part, at) : part.copy(whole, at);
  return whole;
}

/**
 * `JSON.stringify` in UTF-8, in which entities inside are serialized and encoded once for each of `texts`.
 * @throws RangeError when it would be longer than `limit` bytes.
 */
export function encodeShared(value: unknown, texts: SharedTexts, limit: number): Buffer | undefined {
  const { text, inside } = textWithMarks(value);
  if (text === undefined) return undefined;
  if (text.length > limit) throw new RangeError('the JSON is too long');
  if (inside.length === 0) return Buffer.from(text);
  const jsonOf = (entity: SharedEntity): Buffer => {
    const known = texts.get(entity) ?? encodeShared({ ...entity }, texts, limit) ?? Buffer.from('null');
    texts.set(entity, known);
    return known;
  };
  return joined(partsOf(text, inside, jsonOf), limit);
}
