import DataLoader from 'dataloader';
import { type DocumentRow, reviveDates } from '../documents/document-row.ts';
import type { PositionKeys } from './list-cursor.ts';
import type { PageArguments, PageShape } from './page.ts';

export interface PageResult<Row> {
  /** The number of entries in the whole list; `tooManyToCount` if there are more than `countLimit`. */
  readonly total: number;
  readonly countLimit?: number;
  /**
   * Set if there are too many hits to sort by relevance. Hits with the searched words in their titles then come first.
   */
  readonly isRankedByTitle?: true;
  readonly rows: readonly Row[];
  /** The number of entries before the page, if it was read by cursor. */
  readonly offset?: number;
  /** The cursor of the next page, if this one was read by cursor and is not the last. */
  readonly nextCursor?: string | undefined;
}

/** Combines the request for a page with the result into the page that responses show. */
export const shownPage = <Row>(
  page: Pick<PageArguments, 'pageSize' | 'offset'>,
  { rows, ...read }: PageResult<Row>,
): PageShape<Row> => ({ ...page, ...read, entries: rows });

/** A page, along with the position of its last row if another row follows. */
export interface BoundedPage<Row> extends Pick<PageResult<Row>, 'total' | 'countLimit' | 'rows'> {
  readonly last?: PositionKeys | undefined;
}

/**
 * A row returned by a paging query: the key of a list, the list's total and, unless the page is empty, one entry. A
 * document is returned as a single JSON value; otherwise, PostgreSQL would describe all thirty document columns in
 * every result.
 */
export type PageResultRow<Row> = { readonly of: string | null; readonly listTotal: number | null } & (
  | { readonly [Name in keyof Row]: Row[Name] | null }
  | { readonly row: DocumentRow | null }
);

function entryOf<Row>(found: PageResultRow<Row>): Row | null {
  if ('row' in found) return found.row && (reviveDates(found.row) as Row);
  return 'id' in found && found.id === null ? null : (found as Row);
}

/** Groups the rows returned by a paging query by key. Each page keeps the order of its rows. */
export function pagesByKey<Row>(
  found: ReadonlyArray<PageResultRow<Row>>,
): Map<string | null, BoundedPage<Row>> {
  const pages = new Map<string | null, { total: number; rows: Row[] }>();
  for (const row of found) {
    const page = pages.get(row.of) ?? { total: row.listTotal ?? 0, rows: [] };
    pages.set(row.of, page);
    const entry = entryOf(row);
    if (entry) page.rows.push(entry);
  }
  return pages;
}

/** Truncates a page at its limit. A row beyond the limit is read only to find out whether another page follows. */
export function bounded<Row>(
  { total, rows }: Pick<PageResult<Row>, 'total' | 'rows'>,
  limit: number,
  positionOf: (row: Row) => PositionKeys,
): BoundedPage<Row> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { total, rows: shown, last: last && positionOf(last) };
}

/** Returns a loader that uses one statement to read the pages for all keys requested in one turn of the event loop. */
export const pageLoader = <Row>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string | null, BoundedPage<Row>>>,
): DataLoader<string, BoundedPage<Row>> =>
  new DataLoader(async (keys) => {
    const pages = await find(keys);
    return keys.map((key) => pages.get(key) ?? { total: 0, rows: [] });
  });

/**
 * Creates a loader for each distinct set of arguments when that set is first used. Arguments are considered equal if
 * their JSON is equal.
 */
export function loaderPerArguments<Arguments, Found>(
  loaderOf: (options: Arguments) => DataLoader<string, Found>,
): (key: string, options: Arguments) => Promise<Found> {
  const loaders = new Map<string, DataLoader<string, Found>>();
  return (key, options) => {
    const text = JSON.stringify(options);
    const loader = loaders.get(text) ?? loaderOf(options);
    loaders.set(text, loader);
    return loader.load(key);
  };
}
