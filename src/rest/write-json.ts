import { setImmediate } from 'node:timers/promises';
import { Invalid } from '../errors.ts';

/** Lets whoever else waits for the event loop go first. */
export const othersTurn = (): Promise<void> => setImmediate();

/** Characters that are written before others have their turn. */
const atOnce = 2 ** 19;

/** The longest answer, in characters: what headers ask for may be in it very often. */
const most = 128 * 2 ** 20;

const tooLong = () =>
  new Invalid('the answer would be longer than 128 MB: ask for fewer entries, or for less of each');

type Listing = Readonly<Record<string, unknown>> & { readonly entries: readonly unknown[] };

const isListing = (value: unknown): value is Listing =>
  Array.isArray((value as Partial<Listing> | null | undefined)?.entries);

/** @throws Invalid when it would be longer than there may be. */
function textOf(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined && text.length > most) throw tooLong();
    return text;
  } catch (error) {
    throw error instanceof RangeError ? tooLong() : error; // no string can be so long
  }
}

/** Entries with commas between them, in as many turns as they are long. */
async function writeEntries(entries: readonly unknown[], first: number): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  let size = Math.max(1, Math.floor(atOnce / first));
  for (let from = 0; from < entries.length; ) {
    const part = textOf(entries.slice(from, from + size)).slice(1, -1);
    parts.push(part);
    length += part.length;
    if (length > most) throw tooLong();
    from += size;
    size = Math.max(1, Math.floor((size * atOnce) / part.length));
    await othersTurn();
  }
  return parts.join(',');
}

/**
 * As `JSON.stringify` does, but for a long list in several turns, so that others need not wait for all of it.
 * @throws Invalid when the answer would be longer than 128 MB.
 */
export async function writeJson(value: unknown): Promise<string> {
  if (!isListing(value) || value.entries.length < 2) return textOf(value);
  const { entries, ...others } = value;
  // Most lists are short, and of entries much alike.
  const first = textOf(entries[0])?.length || 1;
  if (first * entries.length < atOnce) return textOf(value);
  const head = textOf({ ...others, entries: [] });
  return `${head.slice(0, -2)}${await writeEntries(entries, first)}]}`;
}
