import DataLoader from 'dataloader';
import { type DocumentRow, reviveDates } from '../documents/document-row.ts';

export interface PageResult<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/**
 * A row of a statement that reads pages: a key and the total of its list, with an entry unless the page is
 * empty. A document is one JSON value, since the protocol describes every column in every result and a
 * document has thirty.
 */
export type PageResultRow<Row> = { readonly of: string | null; readonly total: number | null } & (
  | Row
  | { readonly id: null }
  | { readonly row: DocumentRow | null }
);

function entryOf<Row>(found: PageResultRow<Row>): Row | null {
  if ('row' in found) return found.row && (reviveDates(found.row) as Row);
  return 'id' in found && found.id === null ? null : (found as Row);
}

/** Groups the rows of a statement that reads pages; each page keeps the order of the rows. */
export function pagesByKey<Row>(
  found: ReadonlyArray<PageResultRow<Row>>,
): Map<string | null, PageResult<Row>> {
  const pages = new Map<string | null, { total: number; rows: Row[] }>();
  for (const row of found) {
    const page = pages.get(row.of) ?? { total: row.total ?? 0, rows: [] };
    pages.set(row.of, page);
    const entry = entryOf(row);
    if (entry) page.rows.push(entry);
  }
  return pages;
}

/** A loader of pages: those of the keys of one tick are read by one statement. */
export const pageLoader = <Row>(
  find: (keys: readonly string[]) => Promise<ReadonlyArray<PageResultRow<Row>>>,
): DataLoader<string, PageResult<Row>> =>
  new DataLoader(async (keys) => {
    const pages = pagesByKey(await find(keys));
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
