import DataLoader from 'dataloader';
import { type DocumentRow, readJson } from './document-row.ts';

/** Some entries of a list, and how many it has in all. */
export interface Part<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** What a statement that answers parts of lists says of an entry: whose it is, and how many there are in all. */
interface Place {
  readonly of: string;
  readonly total: number;
}

/** A row of such a statement; of an empty part there is one without an entry. */
export type PartRow<Row> = Place & (Row | { readonly id: null });

/** Of a list of documents: the whole document as one JSON value. */
export type DocumentPartRow = Place & { readonly row: DocumentRow | null };

const entryOf = <Row>(row: PartRow<Row>): Row | null =>
  (row as { id: unknown }).id === null ? null : (row as Row);

/** A loader of parts of lists: those of one tick are found by one statement, in whose order the entries are. */
export const partsByKey = <Row>(
  find: (keys: readonly string[]) => Promise<ReadonlyArray<PartRow<Row>>>,
): DataLoader<string, Part<Row>> => parts(find, entryOf);

/** The same of documents. */
export const documentParts = (
  find: (keys: readonly string[]) => Promise<readonly DocumentPartRow[]>,
): DataLoader<string, Part<DocumentRow>> => parts(find, ({ row }) => row && readJson(row));

/** @param entryOf the entry in a row; null where the part is empty. */
function parts<Found extends Place, Row>(
  find: (keys: readonly string[]) => Promise<readonly Found[]>,
  entryOf: (row: Found) => Row | null,
): DataLoader<string, Part<Row>> {
  return new DataLoader(async (keys) => {
    const found = new Map<string, { total: number; rows: Row[] }>();
    for (const row of await find(keys)) {
      const part = found.get(row.of) ?? { total: row.total, rows: [] };
      found.set(row.of, part);
      const entry = entryOf(row);
      if (entry) part.rows.push(entry);
    }
    return keys.map((key) => found.get(key) ?? { total: 0, rows: [] });
  });
}

/** One loader for each way of asking, made when somebody first asks so; the same way is the same JSON. */
export function eachWish<Wish, Found>(
  loaderOf: (wish: Wish) => DataLoader<string, Found>,
): (key: string, wish: Wish) => Promise<Found> {
  const loaders = new Map<string, DataLoader<string, Found>>();
  return (key, wish) => {
    const text = JSON.stringify(wish);
    const loader = loaders.get(text) ?? loaderOf(wish);
    loaders.set(text, loader);
    return loader.load(key);
  };
}
