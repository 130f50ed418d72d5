import DataLoader from 'dataloader';

/**
 * A loader whose keys of one tick are found by one statement.
 * @param find rows for some keys, in any order; a key without a row loads `null`.
 * @param keyOf the key that a row answers.
 * @param admit the row, or why its key is refused; every row is admitted when absent.
 */
export function byKey<Key, Row>(
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
  admit?: (row: Row) => Promise<Row | Error>,
): DataLoader<Key, Row | null> {
  return byText(find, keyOf, (key) => key, admit);
}

/** The same for keys some of which are no row's whatever there is: these are not asked for. */
export const byPossibleKey = <Key, Row>(
  isPossible: (key: Key) => boolean,
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
  admit?: (row: Row) => Promise<Row | Error>,
): DataLoader<Key, Row | null> =>
  byKey(
    async (keys) => {
      const possible = keys.filter(isPossible);
      return possible.length > 0 ? find(possible) : [];
    },
    keyOf,
    admit,
  );

/**
 * The same for keys that are objects, two of which are one key when they have the same text.
 * @param textOf the text of a row, which is that of the key that it answers.
 * @param textOfKey the text of a key.
 */
export function byText<Key, Row, Text>(
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  textOf: (row: Row) => Text,
  textOfKey: (key: Key) => Text,
  admit?: (row: Row) => Promise<Row | Error>,
): DataLoader<Key, Row | null, Text> {
  const batch = async (keys: readonly Key[]) => {
    const rows = await find(keys);
    const admitted = admit ? await Promise.all(rows.map(admit)) : rows;
    const answers = new Map(rows.map((row, index) => [textOf(row), admitted[index]]));
    return keys.map((key) => answers.get(textOfKey(key)) ?? null);
  };
  return new DataLoader<Key, Row | null, Text>(batch, { cacheKeyFn: textOfKey });
}

/**
 * A loader whose keys of one tick are found by one statement; a key has all of its rows, in the order of the statement.
 * @param keyOf the key that a row belongs to.
 */
export function listsByKey<Key, Row>(
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): DataLoader<Key, readonly Row[]> {
  return new DataLoader(async (keys) => {
    const lists = new Map<Key, Row[]>(keys.map((key) => [key, []]));
    for (const row of await find(keys)) lists.get(keyOf(row))?.push(row);
    return keys.map((key) => lists.get(key) ?? []);
  });
}
