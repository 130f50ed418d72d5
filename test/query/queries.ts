import fc from 'fast-check';
import type { Condition, Literal } from '../../src/query/ast.ts';

/** Properties of each kind that the documents of the tests have. */
export const sampled = {
  strings: [
    'dc:title',
    'dc:description',
    'ecm:name',
    'file:content/name',
    'dc:subjects',
    'dc:contributors/*',
  ],
  numbers: ['file:content/length', 'vid:info/duration', 'ecm:pos'],
  dates: ['dc:created', 'dc:expired'],
  booleans: ['userprofile:gender', 'ecm:isTrashed', 'ecm:isProxy'],
} as const;

export const samples = {
  texts: [
    'a',
    'b',
    'ab',
    'a%',
    'a_b',
    'a\\',
    "o'neil",
    'art',
    'art/music',
    'Éa',
    '',
    'Annual Report',
    `annual ${'é'.repeat(120)} report`, // of more than 200 bytes an index knows the beginning only
    'art\u0001long',
    'An Annual report 2024 of 7',
    'a <b report 7> of', // what looks like a tag has no words
    `${'a '.repeat(130)}report 7`, // sorted by its beginning
    'report',
    'Report 7',
    'Report AB2024 of 7',
    'É report, 7 a',
  ],
  patterns: [
    '% report 7%',
    '%report %7',
    '% REPORT %',
    'Report 7',
    'An _nnual report %',
    '% of %',
    '% ab2024 %',
    'Report AB2024 %',
    '%7 of%',
    '%art%',
    '%nual%',
    'Ann%',
    'annual%report',
    '%REPORT',
    '%l\\_r%',
    '%éé%',
    '%long',
    'art%',
  ],
  numbers: [-1, 0, 0.5, 1, 2, 1e21],
  dates: [
    '2024-01-31T00:00:00.000Z',
    '2024-01-31T23:59:59.999Z',
    '2024-02-29T12:00:00.000Z',
    '0001-01-01T00:00:00.000Z',
  ],
} as const;

const text = fc.constantFrom(...samples.texts);
const pattern = fc.constantFrom(...samples.texts, ...samples.patterns);
const number = fc.constantFrom(...samples.numbers);
const moment = fc.constantFrom(...samples.dates).map((iso) => ({ kind: 'moment', iso }) as const);
const op = fc.constantFrom('=', '<>', '<', '<=', '>', '>=');
const equality = fc.constantFrom('=', '<>');

const ordered = (property: fc.Arbitrary<string>, value: fc.Arbitrary<Literal>): fc.Arbitrary<Condition> =>
  fc.oneof(
    fc.record({ kind: fc.constant('compare'), property, op, value }),
    fc.record({ kind: fc.constant('between'), property, from: value, to: value }),
    fc.record({ kind: fc.constant('in'), property, values: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({ kind: fc.constant('isNull'), property }),
  );

const [string, amount, date, flag] = Object.values(sampled).map((names) =>
  fc.constantFrom<string>(...names),
) as [fc.Arbitrary<string>, fc.Arbitrary<string>, fc.Arbitrary<string>, fc.Arbitrary<string>];

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  ordered(string, text),
  ordered(amount, number),
  ordered(date, moment),
  fc.record({ kind: fc.constant('compare'), property: date, op, value: moment, byDay: fc.constant(true) }),
  fc.record({
    kind: fc.constant('between'),
    property: date,
    from: moment,
    to: moment,
    byDay: fc.constant(true),
  }),
  fc.record({ kind: fc.constant('compare'), property: flag, op: equality, value: fc.constantFrom(0, 1) }),
  fc.record({ kind: fc.constant('like'), property: string, pattern, ignoresCase: fc.boolean() }),
  fc.record({ kind: fc.constant('startsWith'), property: string, prefix: text }),
);

/** Conditions on those properties, of every kind. */
export const conditions: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      of: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not'), of: tie('condition') }),
  ),
})).condition;
