import { setImmediate } from 'node:timers/promises';
import { Invalid } from '../../errors.ts';
import { type SharedTexts, stringifyShared } from './shared-entity.ts';

export const yieldToEventLoop = (): Promise<void> => setImmediate();

/** Characters that are serialized in one turn of the event loop, some 3 ms. */
const charactersPerTurn = 2 ** 19;

/** Characters of the longest answer: a header can ask for one large part in every entry. */
const maxCharacters = 128 * 2 ** 20;

const tooLong = () =>
  new Invalid('the answer would be longer than 128 MB: ask for fewer entries, or for less of each');

type Listing = Readonly<Record<string, unknown>> & { readonly entries: readonly unknown[] };

const isListing = (value: unknown): value is Listing =>
  Array.isArray((value as Partial<Listing> | null | undefined)?.entries);

function textOf(value: unknown, texts: SharedTexts): string {
  try {
    const text = stringifyShared(value, texts, maxCharacters) as string;
    if (text !== undefined && text.length > maxCharacters) throw tooLong();
    return text;
  } catch (error) {
    throw error instanceof RangeError ? tooLong() : error; // no string can be so long
  }
}

// Serializes entries in several turns of the event loop; the size of a turn follows the length of the one
// before.
async function writeEntries(entries: readonly unknown[], first: number, texts: SharedTexts): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  let size = Math.max(1, Math.floor(charactersPerTurn / first));
  for (let from = 0; from < entries.length; ) {
    const part = textOf(entries.slice(from, from + size), texts).slice(1, -1);
    parts.push(part);
    length += part.length;
    if (length > maxCharacters) throw tooLong();
    from += size;
    size = Math.max(1, Math.floor((size * charactersPerTurn) / part.length));
    await yieldToEventLoop();
  }
  return parts.join(',');
}

/**
 * Like `JSON.stringify`, but a long list is serialized in several turns, so that it does not delay other
 * requests.
 * @throws Invalid when the answer would be longer than 128 MB.
 */
export async function writeJson(value: unknown): Promise<string> {
  const texts: SharedTexts = new Map();
  if (!isListing(value) || value.entries.length < 2) return textOf(value, texts);
  const { entries, ...others } = value;
  // Entries of a list are about equally long, so the first one tells whether one turn suffices.
  const first = textOf(entries[0], texts)?.length || 1;
  if (first * entries.length < charactersPerTurn) return textOf(value, texts);
  const head = textOf({ ...others, entries: [] }, texts);
  return `${head.slice(0, -2)}${await writeEntries(entries, first, texts)}]}`;
}
