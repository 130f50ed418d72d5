import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../src/errors.ts';
import type { Condition, Projection, Query } from '../../src/query/ast.ts';
import type { Bindings } from '../../src/query/literals.ts';
import { parseQuery } from '../../src/query/parse.ts';
import { printQuery } from './print.ts';
import { conditions, sampled } from './queries.ts';

const open: Bindings = { positional: [], named: {}, variables: { currentUser: 'ann' } };
const where = (text: string, bindings: Partial<Bindings> = {}): Condition | undefined =>
  parseQuery(`SELECT * FROM Document WHERE ${text}`, { ...open, ...bindings }).where;

const property = fc.constantFrom<string>(
  ...Object.values(sampled).flat(),
  'files:files/*/file/name',
  'dc:subjects/0',
);
const projections: fc.Arbitrary<Projection[]> = fc.array(
  fc.oneof(
    fc.record({ property }),
    fc.record({ property, of: fc.constantFrom('count', 'avg', 'sum', 'min', 'max') }),
  ),
  { minLength: 1, maxLength: 3 },
);
const queries: fc.Arbitrary<Query> = fc
  .record({
    select: fc.oneof(fc.constant('*' as const), projections),
    isDistinct: fc.option(fc.constant(true as const), { nil: undefined }),
    from: fc.subarray(['Document', 'File', 'Note'], { minLength: 1 }),
    where: fc.option(conditions, { nil: undefined }),
    orderBy: fc.array(fc.record({ property, isAscending: fc.boolean() }), { maxLength: 3 }),
  })
  .map((query) => JSON.parse(JSON.stringify(query)) as Query);

describe('§4.7 NXQL', () => {
  test('a printed query is parsed to the same query', () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(parseQuery(printQuery(query), open)).toEqual(query);
      }),
    );
  });

  test('any text is parsed, or refused with the position of the error', () => {
    const words = [
      'SELECT',
      '*',
      'FROM',
      'Document',
      'WHERE',
      'AND',
      'NOT',
      '(',
      ')',
      '=',
      "'a'",
      'dc:title',
      'IN',
      '?',
      ':a',
      '1',
      'NOW',
      '"',
      '/*',
      '$x',
      'IS',
      'NULL',
      ',',
    ];
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((list) => list.join(' ')),
      fc
        .array(fc.constantFrom(...words), { maxLength: 9 })
        .map((list) => `SELECT * FROM Document WHERE ${list.join(' ')}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(parseQuery(text, open).from.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(Invalid);
          expect((error as Invalid).message).toMatch(/^query: at \d+: /);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('a string literal may contain any characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        fc.pre(!value.startsWith('$'));
        const query: Query = {
          select: '*',
          from: ['File'],
          orderBy: [],
          where: { kind: 'compare', property: 'dc:title', op: '=', value },
        };
        expect(parseQuery(printQuery(query), open)).toEqual(query);
      }),
    );
  });

  test.each<[string, Condition]>([
    ["dc:title = 'it\\'s'", { kind: 'compare', property: 'dc:title', op: '=', value: "it's" }],
    ['dc:title = "a\\nb"', { kind: 'compare', property: 'dc:title', op: '=', value: 'a\nb' }],
    ["dc:title LIKE '50\\%'", { kind: 'like', property: 'dc:title', pattern: '50\\%', ignoresCase: false }],
    ['ecm:pos != -1.5e1', { kind: 'compare', property: 'ecm:pos', op: '<>', value: -15 }],
    ['ecm:isProxy = 0', { kind: 'compare', property: 'ecm:isProxy', op: '=', value: 0 }],
    ['ecm:isProxy = true', { kind: 'compare', property: 'ecm:isProxy', op: '=', value: true }],
    [
      "dc:created < DATE '2024-01-31'",
      { kind: 'compare', property: 'dc:created', op: '<', value: { kind: 'moment', iso: '2024-01-31' } },
    ],
    [
      "dc:created >= now('-P7D')",
      { kind: 'compare', property: 'dc:created', op: '>=', value: { kind: 'now', duration: '-P7D' } },
    ],
    [
      "DATE(dc:created) BETWEEN DATE '2024-01-01' AND NOW()",
      {
        kind: 'between',
        property: 'dc:created',
        from: { kind: 'moment', iso: '2024-01-01' },
        to: { kind: 'now' },
        byDay: true,
      },
    ],
    [
      "not dc:title not in ('a', 'b')",
      { kind: 'not', of: { kind: 'not', of: { kind: 'in', property: 'dc:title', values: ['a', 'b'] } } },
    ],
    ['dc:title is not null', { kind: 'not', of: { kind: 'isNull', property: 'dc:title' } }],
    [
      "/*+ES: INDEX(dc:title) */ dc:title = 'a'",
      { kind: 'compare', property: 'dc:title', op: '=', value: 'a' },
    ],
    ['dc:creator = $currentUser', { kind: 'compare', property: 'dc:creator', op: '=', value: 'ann' }],
    ["dc:creator = '$currentUser'", { kind: 'compare', property: 'dc:creator', op: '=', value: 'ann' }],
  ])('%s is parsed', (text, expected) => {
    expect(where(text)).toEqual(expected);
  });

  test('AND binds closer than OR', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((value) => ({
      kind: 'compare',
      property: 'dc:title',
      op: '=',
      value,
    }));
    expect(where("dc:title = 'a' OR dc:title = 'b' AND dc:title = 'c'")).toEqual({
      kind: 'or',
      of: [a, { kind: 'and', of: [b, c] }],
    });
  });

  test('parameters are never parsed as query text', () => {
    const positional = ["x' OR 1 = 1 --", '$currentUser'];
    expect(where('dc:title = ? AND dc:creator = ?', { positional })).toEqual({
      kind: 'and',
      of: [
        { kind: 'compare', property: 'dc:title', op: '=', value: "x' OR 1 = 1 --" },
        { kind: 'compare', property: 'dc:creator', op: '=', value: 'ann' },
      ],
    });
    const named = { names: '["a","b"]', more: ['c', 1], one: 'd' };
    expect(where('dc:title IN :names AND dc:title IN (:more, :one)', { named })).toEqual({
      kind: 'and',
      of: [
        { kind: 'in', property: 'dc:title', values: ['a', 'b'] },
        { kind: 'in', property: 'dc:title', values: ['c', 1, 'd'] },
      ],
    });
  });

  test.each<[string, RegExp, Partial<Bindings>?]>([
    ['', /^query: at 1: expected SELECT, found the end/],
    ['SELECT * FROM', /^query: at 14: expected a type, found the end/],
    ['SELECT * FROM File WHERE', /at 25: expected a property, found the end/],
    ["SELECT * FROM File WHERE dc:title 'a'", /at 35: expected an operator, found "'a'"/],
    ['SELECT * FROM File WHERE dc:title = a', /at 37: expected a value, found "a"/],
    ["SELECT * FROM File WHERE dc:title = 'a", /at 37: a string without a closing quote/],
    ["SELECT * FROM File WHERE (dc:title = 'a'", /at 41: expected \), found the end/],
    ["SELECT * FROM File WHERE dc:title = 'a' x", /at 41: expected AND, OR, ORDER BY or the end, found "x"/],
    ['SELECT * FROM File ORDER dc:title', /at 26: expected BY/],
    ['SELECT * FROM File WHERE dc:title = 1e999', /at 37: 1e999 is too large/],
    ['SELECT * FROM File WHERE dc:title LIKE 1', /at 40: expected a string/],
    ["SELECT * FROM File WHERE DATE(dc:created) IN ('a')", /expected a comparison of days/],
    ["SELECT * FROM File WHERE dc:created = DATE '2024-02-30'", /"2024-02-30" is not a W3C date-time/],
    ["SELECT * FROM File WHERE dc:created = NOW('P')", /"P" is not an ISO 8601 duration/],
    ['SELECT * FROM File WHERE dc:title = ?', /at 37: there is no value for \?/],
    ['SELECT * FROM File WHERE dc:title = :toString', /at 37: there is no value for :toString/],
    ['SELECT * FROM File WHERE dc:title = $other', /at 37: unknown variable \$other/],
    ['SELECT * FROM File WHERE dc:title = :a', /must be a string, number or boolean/, { named: { a: {} } }],
    ['SELECT * FROM File WHERE dc:title = ;', /at 37: unexpected ";"/],
  ])('%p is refused', (text, message, bindings = {}) => {
    expect(() => parseQuery(text, { ...open, ...bindings })).toThrow(message);
  });

  test.each<[string, string, RegExp]>([
    ['its length', ' '.repeat(100_001), /^query must not be longer than 100000 characters/],
    ['groups', '('.repeat(90_000), /at \d+: conditions can be nested at most 50 levels deep/],
    ['negations', 'NOT '.repeat(20_000), /at \d+: conditions can be nested at most 50 levels deep/],
    ['conditions', Array(501).fill('a:b=1').join(' OR '), /query: too many conditions: the maximum is 500/],
  ])('a query with too long or too deep a part is refused: %s', (_, text, message) => {
    expect(() => where(text)).toThrow(message);
  });
});
