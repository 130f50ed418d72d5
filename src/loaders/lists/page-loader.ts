import DataLoader from 'dataloader';
import { type DocumentRow, reviveDates } from '../documents/document-row.ts';
import type { PositionKeys } from './list-cursor.ts';
import type { PageArguments, PageShape } from './page.ts';

export interface PageResult<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
  /** Of a page by cursor: how many entries came before, and the cursor of the next one. */
  readonly offset?: number;
  readonly nextCursor?: string | undefined;
}

/** A page as it is asked for, with what was read of it. */
export const shownPage = <Row>(
  page: Pick<PageArguments, 'pageSize' | 'offset'>,
  { rows, ...read }: PageResult<Row>,
): PageShape<Row> => ({ ...page, ...read, entries: rows });

/** A page, and the position of its last row if another follows. */
export interface BoundedPage<Row> extends Pick<PageResult<Row>, 'total' | 'rows'> {
  readonly last?: PositionKeys | undefined;
}

/**
 * A row of a statement that reads pages: a key and the total of its list, with an entry unless the page is
 * empty. A document is one JSON value, since the protocol describes every column in every result and a
 * document has thirty.
 */
export type PageResultRow<Row> = { readonly of: string | null; readonly listTotal: number | null } & (
  | { readonly [Name in keyof Row]: Row[Name] | null }
  | { readonly row: DocumentRow | null }
);

function entryOf<Row>(found: PageResultRow<Row>): Row | null {
  if ('row' in found) return found.row && (reviveDates(found.row) as Row);
  return 'id' in found && found.id === null ? null : (found as Row);
}

/** Groups the rows of a statement that reads pages; each page keeps the order of the rows. */
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

/** Takes off the entries beyond the limit, which are read to know whether another page follows. */
export function bounded<Row>(
  { total, rows }: Pick<PageResult<Row>, 'total' | 'rows'>,
  limit: number,
  positionOf: (row: Row) => PositionKeys,
): BoundedPage<Row> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { total, rows: shown, last: last && positionOf(last) };
}

/** A loader of pages: those of the keys of one tick are read by one statement. */
export const pageLoader = <Row>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string | null, BoundedPage<Row>>>,
): DataLoader<string, BoundedPage<Row>> =>
  new DataLoader(async (keys) => {
    const pages = await find(keys);
    return keys.map((key) => pages.get(key) ?? { total: 0, rows: [] });
  });

/** One loader for each set of arguments, made on demand; equal arguments have equal JSON. */
export function loaderPerArguments<Arguments, Found>(
  loaderOf: (given: Arguments) => DataLoader<string, Found>,
): (key: string, given: Arguments) => Promise<Found> {
  const loaders = new Map<string, DataLoader<string, Found>>();
  return (key, given) => {
    const text = JSON.stringify(given);
    const loader = loaders.get(text) ?? loaderOf(given);
    loaders.set(text, loader);
    return loader.load(key);
  };
}
