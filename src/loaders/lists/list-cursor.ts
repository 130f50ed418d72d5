import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import { type PageArguments, unlimited } from './page.ts';

/** The sort keys of an entry as texts, the last of which is unique. */
export type PositionKeys = ReadonlyArray<string | null>;

/** Where a page begins: after an entry, or where the list does; and how many entries came before. */
export interface ListPosition {
  readonly after: PositionKeys | undefined;
  readonly offset: number;
}

const beginning = '*';

/** An address holds them. */
const maxCharacters = 8_000;

const shape = z.tuple([z.string(), z.array(z.string().nullable()).max(30), z.int().min(0).max(unlimited)]);

/** Short, since it only tells cursors of different lists from each other by mistake. */
const digestOf = (list: unknown): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);

const faulty = () => new Invalid('cursor: is none that a page of this list named as its nextCursor');

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The cursor of the next page; undefined after the last one.
 * @param list what makes it this list and no other: its query and its order.
 * @param shown the entries of the page.
 * @param last the position of the last one of them, if another follows.
 * @throws Invalid when what the list is sorted by is too long
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
  throw new Invalid('cursor: a text that the list is sorted by is too long: use page numbers');
}

/**
 * Where the page of a cursor begins; `*` and an empty text begin the list.
 * @throws Invalid for a text that is no cursor of the list
 */
export function readCursor(list: unknown, cursor: string): ListPosition {
  if (cursor === beginning || cursor === '') return { after: undefined, offset: 0 };
  const read = shape.safeParse(cursor.length > maxCharacters ? undefined : parse(cursor));
  if (!read.success) throw faulty();
  const [digest, after, offset] = read.data;
  if (digest !== digestOf(list) || after.some((key) => key?.includes('\0'))) throw faulty();
  return { after, offset };
}
