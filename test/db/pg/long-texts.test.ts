import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db/database.ts';
import { stockedDatabase } from '../../support/database.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await stockedDatabase());
});
afterAll(() => database.close());

const long = 'x'.repeat(200_000);

const lists: ReadonlyArray<[string, readonly string[]]> = [
  ['nothing special', [long, '', 'é€😀', 'NULL', 'a,b', '{}', ' ']],
  ['quotes and backslashes', [long, '"', '\\', '\\"', '"'.repeat(70_000), '\\'.repeat(70_000), '€"€']],
  ['one text only', [`"${long}\\`]],
];

describe('A list of long texts', () => {
  test.each(lists)('with %s arrives unchanged', async (_, list) => {
    const rows = await database.query({ name: '', text: 'SELECT $1::text[] AS list' }, [list]);
    expect(rows).toEqual([{ list }]);
  });

  test('with NUL is refused by PostgreSQL, like a short one', async () => {
    for (const list of [['a\0b'], [long, 'a\0"b']])
      await expect(
        database.query({ name: '', text: 'SELECT $1::text[] AS list' }, [list]),
      ).rejects.toMatchObject({ code: '22021' });
  });
});
