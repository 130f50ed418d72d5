import { describe, expect, test } from '@jest/globals';
import { afterSql, ascending, descending, orderBySql } from '../../src/query/order-sql.ts';

const id = ascending('d.id', 'uuid');
const some = '01a20ad5-c93f-704c-b294-570e9db04438';
const behind = (...given: [Parameters<typeof afterSql>[0], Parameters<typeof afterSql>[1]]) =>
  afterSql(...given, (text) => `'${text}'`);

describe('the condition of the rows after a position', () => {
  test('is one comparison of rows where all keys have one direction, so that an index is read from there', () => {
    expect(behind([ascending('d.title', 'text'), id], ['a', some])).toEqual([
      `(d.title, d.id) > ('a'::text, '${some}'::uuid)`,
    ]);
    expect(behind([descending('d.at', 'bigint'), descending('d.n', 'bigint')], ['2', '1'])).toEqual([
      "(d.at, d.n) < ('2'::bigint, '1'::bigint)",
    ]);
  });

  test('begins with the first key where directions differ', () => {
    expect(behind([descending('d.title', 'text'), id], ['a', some])).toEqual([
      `d.title <= 'a'::text AND (d.title < 'a'::text OR ((d.id) > ('${some}'::uuid)))`,
    ]);
  });

  test('is two conditions where the first key may be unset, and one behind those where it is set', () => {
    const order = [ascending('d.due', 'bigint', { isNullable: true }), id];
    expect(orderBySql(order)).toBe('d.due ASC NULLS LAST, d.id ASC');
    expect(behind(order, ['1', some])).toEqual([
      `(d.due, d.id) > ('1'::bigint, '${some}'::uuid)`,
      'd.due IS NULL',
    ]);
    expect(behind(order, [null, some])).toEqual([`d.due IS NULL AND ((d.id) > ('${some}'::uuid))`]);
  });

  test('is refused for keys of another order', () => {
    for (const keys of [[], [some], ['a', null], [null, some], ['a', 'no id'], ['a', some, some]])
      expect(() => behind([ascending('d.title', 'text'), id], keys)).toThrow(
        'cursor does not belong to this sort order',
      );
    expect(() => behind([descending('d.at', 'timestamptz')], ['today'])).toThrow(
      'cursor does not belong to this sort order',
    );
  });
});
