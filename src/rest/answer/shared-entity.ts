import { randomUUID } from 'node:crypto';

/** The texts of entities that one answer has shown already. */
export type SharedTexts = Map<SharedEntity, string>;

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

/**
 * `JSON.stringify`, in which entities inside are serialized once for each of `texts`.
 * @throws RangeError when the text would be longer than `limit` characters.
 */
export function stringifyShared(value: unknown, texts: SharedTexts, limit: number): string | undefined {
  const { text, inside } = textWithMarks(value);
  if (text === undefined || inside.length === 0) return text;
  const [first = '', ...others] = text.split(opening);
  const parts = [first];
  let length = first.length;
  for (const other of others) {
    const end = other.indexOf('"');
    const entity = inside[Number(other.slice(0, end))] as SharedEntity;
    const known = texts.get(entity) ?? stringifyShared({ ...entity }, texts, limit) ?? 'null';
    texts.set(entity, known);
    length += known.length + other.length;
    if (length > limit) throw new RangeError('the text is too long');
    parts.push(known, other.slice(end + 1));
  }
  return parts.join('');
}
