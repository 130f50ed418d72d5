import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import { isUuid } from '../../model/names.ts';

/** Where a page ends: the sort keys of its last entry as texts, its id, and how many entries came before. */
export interface ListPosition {
  readonly keys: ReadonlyArray<string | null>;
  readonly id: string;
  readonly offset: number;
}

/** What clients send to begin. */
const beginning = '*';

/** An address holds them. */
const maxCharacters = 8_000;

const shape = z.tuple([
  z.string(),
  z.array(z.string().nullable()).max(20),
  z.string().refine(isUuid),
  z.int().min(0),
]);

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
 * @param list what makes it this list and no other: its query and its order.
 * @throws Invalid when what the list is sorted by is too long
 */
export function writeCursor(list: unknown, { keys, id, offset }: ListPosition): string {
  const cursor = Buffer.from(JSON.stringify([digestOf(list), keys, id, offset])).toString('base64url');
  if (cursor.length <= maxCharacters) return cursor;
  throw new Invalid('cursor: a text that the list is sorted by is too long: use page numbers');
}

/**
 * The position after which a page begins; undefined for `*` and an empty text, which begin the list.
 * @throws Invalid for a text that is no cursor of the list
 */
export function readCursor(list: unknown, cursor: string): ListPosition | undefined {
  if (cursor === beginning || cursor === '') return undefined;
  const read = shape.safeParse(cursor.length > maxCharacters ? undefined : parse(cursor));
  if (!read.success) throw faulty();
  const [digest, keys, id, offset] = read.data;
  if (digest !== digestOf(list) || keys.some((key) => key?.includes('\0'))) throw faulty();
  return { keys, id, offset };
}
