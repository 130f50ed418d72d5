import DataLoader from 'dataloader';

/** Some entries of a list, and how many it has in all. */
export interface Part<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** A row of a statement that answers parts of lists; of an empty part there is one without an entry. */
export type PartRow<Row> = { readonly of: string; readonly total: number } & (Row | { readonly id: null });

const isEntry = <Row>(row: PartRow<Row>): row is PartRow<Row> & Row => (row as { id: unknown }).id !== null;

/** A loader of parts of lists: those of one tick are found by one statement, in whose order the entries are. */
export function partsByKey<Row>(
  find: (keys: readonly string[]) => Promise<ReadonlyArray<PartRow<Row>>>,
): DataLoader<string, Part<Row>> {
  return new DataLoader(async (keys) => {
    const found = new Map<string, { total: number; rows: Row[] }>();
    for (const row of await find(keys)) {
      const part = found.get(row.of) ?? { total: row.total, rows: [] };
      found.set(row.of, part);
      if (isEntry(row)) part.rows.push(row);
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
