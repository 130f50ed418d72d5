import { answerTooLarge } from '../../errors.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { minJsonBytes } from '../../model/values/json-length.ts';
import { cutLists } from './cut-lists.ts';
import {
  bytesPerTurn,
  type JsonPart,
  joined,
  jsonParts,
  NestedList,
  ownSize,
  type SharedTexts,
  sentOf,
  sizeOfAll,
} from './shared-entity.ts';

type Listing = Readonly<Record<string, unknown>> & { readonly entries: readonly unknown[] };

const isListing = (value: unknown): value is Listing =>
  Array.isArray((value as Partial<Listing> | null | undefined)?.entries);

/**
 * Removes `start` characters from the beginning and `end` characters from the end. The first and the last
 * part are strings.
 */
function stripped(parts: readonly JsonPart[], start: number, end: number): JsonPart[] {
  const [first, ...others] = parts as readonly string[];
  const inner: JsonPart[] = [String(first).slice(start), ...others];
  inner.push(String(inner.pop()).slice(0, end === 0 ? undefined : -end));
  return inner;
}

// Serializes entries in several turns of the event loop. The number of entries in a turn is adapted to the
// length of the ones before.
async function writeEntries(
  entries: readonly unknown[],
  first: number,
  texts: SharedTexts,
  limit: number,
): Promise<JsonPart[]> {
  const parts: JsonPart[] = [];
  let length = 0;
  let size = Math.max(1, Math.floor(bytesPerTurn / first));
  for (let from = 0; from < entries.length; ) {
    const some = stripped(jsonParts(entries.slice(from, from + size), texts, limit), 1, 1);
    const bytes = sizeOfAll(some);
    if (from > 0) parts.push(',');
    parts.push(...some);
    length += bytes;
    if (length > limit) throw new RangeError('the entries are too long');
    from += size;
    size = Math.max(1, Math.floor((size * bytesPerTurn) / bytes));
    await yieldToEventLoop();
  }
  return parts;
}

/** A lower bound of the JSON's length if all lists inside enrichers are emptied. */
const minBytes = (value: unknown, limit: number): number =>
  minJsonBytes(value, limit, (inner) => inner instanceof NestedList);

/**
 * @param first the estimated length of the first entry of a list.
 * @throws RangeError when the JSON is longer than `limit` bytes or than the longest string.
 */
async function write(value: unknown, first: number, limit: number): Promise<JsonPart> {
  const texts: SharedTexts = new Map();
  const parts = (): JsonPart[] => jsonParts(value, texts, limit);
  if (!isListing(value) || value.entries.length < 2) return sentOf(parts(), limit);
  const { entries, ...others } = value;
  // The entries of a list usually have similar lengths, so the first one shows whether one turn suffices.
  if (first * entries.length < bytesPerTurn) return sentOf(parts(), limit);
  const head = stripped(jsonParts({ ...others, entries: [] }, texts, limit), 0, 2);
  return joined([...head, ...(await writeEntries(entries, first, texts, limit)), ']}'], limit);
}

const unlessTooLong = <T>(error: unknown, otherwise: T): T => {
  if (error instanceof RangeError) return otherwise;
  throw error;
};

/** The number of leading entries that fit into a response without lists inside enrichers. */
async function fittingEntries({ entries, ...others }: Listing, limit: number): Promise<number> {
  let length = ownSize({ ...others, entries: [] }).bytes;
  for (const [index, entry] of entries.entries()) {
    if (length + minBytes(entry, limit) > limit) return index;
    const { bytes, entities } = ownSize(entry);
    length += entities.reduce((sum, entity) => sum + ownSize(entity).bytes, bytes + 1);
    if (length > limit) return index;
    await yieldToEventLoop();
  }
  return entries.length;
}

/**
 * Like `JSON.stringify`, but serializes a long list in several turns of the event loop, so that other requests
 * are not delayed. It encodes all but short texts in UTF-8, because Node sends a page of 150 kB as bytes with
 * 0.1 ms less CPU than as a string. If the response is too long, lists inside enrichers are truncated. An
 * answer that is too long even without them is refused, if possible before it is serialized.
 * @throws TooLarge when the response would be longer than `limit` bytes even without these lists.
 */
export async function writeJson(value: unknown, limit: number): Promise<JsonPart> {
  const isPage = isListing(value) && value.entries.length > 1;
  const first = isPage ? minJsonBytes(value.entries[0], limit) : 0;
  const refuse = async (): Promise<never> => {
    throw answerTooLarge(limit, isPage ? await fittingEntries(value, limit) : 0);
  };
  if (isPage && first * value.entries.length > limit / 2 && minBytes(value, limit) > limit) return refuse();
  const written = await write(value, first, limit).catch((error: unknown) => unlessTooLong(error, undefined));
  if (written !== undefined) return written;
  if (minBytes(value, limit) > limit) return refuse();
  const { entries = [], ...others } = isListing(value) ? value : {};
  const isCut = await cutLists(isListing(value) ? [others, ...entries] : [value], limit - 16);
  return isCut ? write(value, first, limit) : refuse();
}
