import { answerTooLarge } from '../../errors.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { minJsonBytes } from '../../model/values/json-length.ts';
import { encodeInTurns, type JsonPart, jsonStepBytes, jsonSteps } from '../../model/values/json-steps.ts';
import { cutLists } from './cut-lists.ts';
import { jsonParts, NestedList, ownSize, SharedEntity, type SharedTexts, sentOf } from './shared-entity.ts';

type Listing = Readonly<Record<string, unknown>> & { readonly entries: readonly unknown[] };

const isListing = (value: unknown): value is Listing =>
  Array.isArray((value as Partial<Listing> | null | undefined)?.entries);

/** Returns a lower bound on the length of the JSON: the length with empty lists in enrichers. */
const minBytes = (value: unknown, limit: number): number =>
  minJsonBytes(value, limit, (inner) => inner instanceof NestedList);

const isWhole = (value: object): boolean => value instanceof SharedEntity && value.isRepeated;

/** @throws RangeError if the JSON is longer than `limit` bytes or than the maximum length of a string */
async function write(value: unknown, isLong: boolean, limit: number): Promise<JsonPart> {
  const texts: SharedTexts = new Map();
  const writeShort = (part: unknown): JsonPart[] => jsonParts(part, texts, limit);
  if (!isLong) return sentOf(writeShort(value), limit);
  return encodeInTurns(jsonSteps(value, { write: writeShort, isWhole }), limit);
}

const unlessTooLong = <T>(error: unknown, otherwise: T): T => {
  if (error instanceof RangeError) return otherwise;
  throw error;
};

/** Returns how many entries, counted from the first one, fit into a response if the lists in enrichers are empty. */
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
 * Like `JSON.stringify`, but serializes a long value in several turns of the event loop, so that other requests are not
 * delayed. Text that is not short is encoded as UTF-8, because Node needs 0.1 ms less CPU time to send a page of 150 kB
 * as bytes than as a string. If the response is too long, lists in enrichers are truncated. A response that is too long
 * even with empty lists is rejected, if possible before it is serialized.
 * @param canBeLong whether the length has to be estimated, which takes 4 % of the time needed for a page
 * @throws TooLarge if the response would be longer than `limit` bytes even with empty lists
 */
export async function writeJson(value: unknown, limit: number, canBeLong = true): Promise<JsonPart> {
  const isPage = isListing(value) && value.entries.length > 1;
  const isLong = canBeLong && minJsonBytes(value, jsonStepBytes) > jsonStepBytes;
  const refuse = async (): Promise<never> => {
    throw answerTooLarge(limit, isPage ? await fittingEntries(value, limit) : 0);
  };
  if (isLong && minBytes(value, limit) > limit) return refuse();
  const written = await write(value, isLong, limit).catch((error: unknown) =>
    unlessTooLong(error, undefined),
  );
  if (written !== undefined) return written;
  if (minBytes(value, limit) > limit) return refuse();
  const { entries = [], ...others } = isListing(value) ? value : {};
  const isCut = await cutLists(isListing(value) ? [others, ...entries] : [value], limit - 16);
  return isCut ? write(value, isLong, limit) : refuse();
}
