import DataLoader from 'dataloader';
import type { Statement } from '../db/statement.ts';
import { isUuid } from '../model/names.ts';

/**
 * Returns a loader that uses one statement for all keys requested in one turn of the event loop.
 * @param find returns the rows for the keys, in any order; for a key without a row, the loader returns `null`
 * @param keyOf returns the key of a row
 * @param admit returns the row, or the error to reject with when this row is loaded, such as Forbidden
 */
export function batchLoader<Key, Row>(
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
  admit?: (row: Row) => Promise<Row | Error>,
): DataLoader<Key, Row | null> {
  return textKeyBatchLoader(find, keyOf, (key) => key, admit);
}

/**
 * A `batchLoader` that returns `null`, without sending a statement, for keys that no row can have, such as strings that
 * contain a NUL character.
 * @param isPossible whether a row can have the key
 */
export const validKeyBatchLoader = <Key, Row>(
  isPossible: (key: Key) => boolean,
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
  admit?: (row: Row) => Promise<Row | Error>,
): DataLoader<Key, Row | null> =>
  batchLoader(
    async (keys) => {
      const possible = keys.filter(isPossible);
      return possible.length > 0 ? find(possible) : [];
    },
    keyOf,
    admit,
  );

/** A `batchLoader` by UUID, in upper or lower case. For a string that is not a UUID, it returns `null`. */
export const uuidBatchLoader = <Row extends { readonly id: string }>(
  find: (ids: readonly string[]) => Promise<readonly Row[]>,
  admit?: (row: Row) => Promise<Row | Error>,
): DataLoader<string, Row | null> =>
  textKeyBatchLoader(
    async (keys) => {
      const ids = keys.filter(isUuid).map((id) => id.toLowerCase());
      return ids.length > 0 ? find(ids) : [];
    },
    ({ id }) => id,
    (key) => (isUuid(key) ? key.toLowerCase() : ''), // any other key has no row, and can be as long as a request body
    admit,
  );

/**
 * A `batchLoader` whose keys are objects. Keys that convert to the same string are loaded once.
 * @param textOf converts the key of a row to a string
 * @param textOfKey converts a key to a string
 */
export function textKeyBatchLoader<Key, Row, Text>(
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

/** Returns a loader that tells whether a row exists for a key. */
export function existenceLoader<Key, Row>(
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): DataLoader<Key, boolean> {
  return new DataLoader(async (keys) => {
    const found = new Set((await find(keys)).map(keyOf));
    return keys.map((key) => found.has(key));
  });
}

/** Returns a loader for all rows that belong to a key, in the order of the statement. */
export function listBatchLoader<Key, Row>(
  find: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): DataLoader<Key, readonly Row[]> {
  return new DataLoader(async (keys) => {
    const lists = new Map<Key, Row[]>(keys.map((key) => [key, []]));
    for (const row of await find(keys)) lists.get(keyOf(row))?.push(row);
    return keys.map((key) => lists.get(key) ?? []);
  });
}

const maxQuickKeys = 100;

/**
 * Marks a statement that finds a few rows for each key as quick if it runs with at most `maxQuickKeys` keys. Quick
 * statements share connections, so a statement with a long list of keys would delay the others.
 */
export function quickForFewKeys<Row>(query: Statement<Row>): (keys: readonly unknown[]) => Statement<Row> {
  const quick: Statement<Row> = { ...query, isQuick: true };
  return (keys) => (keys.length <= maxQuickKeys ? quick : query);
}
