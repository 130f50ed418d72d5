import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import { type PageArguments, unlimited } from './page.ts';

/**
 * The values of an entry's sort keys as strings. The last key is unique, so the values together identify a position in
 * a list.
 */
export type PositionKeys = ReadonlyArray<string | null>;

/** The position at which a page starts. */
export interface ListPosition {
  /** The position of the entry before the page; undefined at the start of the list. */
  readonly after: PositionKeys | undefined;
  /** The number of entries before the page. */
  readonly offset: number;
}

/** The cursor of the first page. */
const startCursor = '*';

/** The maximum length of a cursor, so that it fits into a URL. */
const maxCharacters = 8_000;

const shape = z.tuple([z.string(), z.array(z.string().nullable()).max(30), z.int().min(0).max(unlimited)]);

/**
 * A digest of a list, used to detect cursors of other lists. It can be short, because it only guards against mistakes.
 */
const digestOf = (list: unknown): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);

const faulty = () =>
  new Invalid('cursor is not a nextCursor of this list. Start with * and use the nextCursor of each page.');

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Creates the cursor for the next page. It consists of a digest of the list, the position of the page's last entry, and
 * the number of entries up to that entry. A cursor does not expire, and inserting or deleting entries does not cause
 * other entries to be repeated or skipped.
 * @param list a JSON value that identifies the list, such as its query and its order
 * @param shown the number of entries on the page
 * @param last the position of the last entry on the page, if another entry follows
 * @returns undefined after the last page
 * @throws Invalid if a sort key is too long for a cursor
 */
export function nextCursor(
  list: unknown,
  {
    offset,
    maxResults = unlimited,
  }: Pick<PageArguments, 'offset'> & { readonly maxResults?: number | undefined },
  shown: number,
  last: PositionKeys | null | undefined,
): string | undefined {
  const next = offset + shown;
  if (!last || next >= maxResults) return undefined;
  const cursor = Buffer.from(JSON.stringify([digestOf(list), last, next])).toString('base64url');
  if (cursor.length <= maxCharacters) return cursor;
  throw new Invalid(
    'cursor: the list is sorted by a value that is too long for a cursor. Use page numbers instead.',
  );
}

/**
 * Parses a cursor and returns the position at which its page starts; `*` and an empty string stand for the first page.
 * @throws Invalid for a string that is not a cursor of the list
 */
export function readCursor(list: unknown, cursor: string): ListPosition {
  if (cursor === startCursor || cursor === '') return { after: undefined, offset: 0 };
  const read = shape.safeParse(cursor.length > maxCharacters ? undefined : parse(cursor));
  if (!read.success) throw faulty();
  const [digest, after, offset] = read.data;
  if (digest !== digestOf(list) || after.some((key) => key?.includes('\0'))) throw faulty();
  return { after, offset };
}
