import DataLoader from 'dataloader';

/**
 * A loader whose keys of one tick are found by one statement.
 * @param find rows for some keys, in any order; a key without a row loads `null`.
 * @param keyOf the key that a row answers.
 */
export function byKey<Key, Row>(
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): DataLoader<Key, Row | null> {
  return new DataLoader(async (keys) => {
    const rows = new Map((await find(keys)).map((row) => [keyOf(row), row]));
    return keys.map((key) => rows.get(key) ?? null);
  });
}
