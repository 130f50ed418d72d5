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
  return byText(find, keyOf, (key) => key);
}

/**
 * The same for keys that are objects, two of which are one key when they have the same text.
 * @param textOf the text of a row, which is that of the key that it answers.
 * @param textOfKey the text of a key.
 */
export function byText<Key, Row, Text>(
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  textOf: (row: Row) => Text,
  textOfKey: (key: Key) => Text,
): DataLoader<Key, Row | null, Text> {
  const batch = async (keys: readonly Key[]) => {
    const rows = new Map((await find(keys)).map((row) => [textOf(row), row]));
    return keys.map((key) => rows.get(textOfKey(key)) ?? null);
  };
  return new DataLoader(batch, { cacheKeyFn: textOfKey });
}
