import fc from 'fast-check';

/** Texts that often cause errors. */
const nasty = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00',
  '\u202e',
  '\ufeff',
  '\u0085',
  '𝒳',
  'é',
  'e\u0301',
  '\r\n',
  '\t',
  '..',
  '.',
  '/',
  '//',
  '\\',
  '../../etc/passwd',
  '@x',
  '@blob',
  '%00',
  '%',
  '%2F',
  '%zz',
  '*',
  '?',
  '#',
  ',',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  "'; DROP TABLE document; --",
  '$1',
  '"',
  '`',
  '<script>',
  'a'.repeat(300),
  'ü'.repeat(200),
];

/** Any text: nasty ones, short ones, ones of any UTF-16, and long ones. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...nasty) },
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => `u${String.fromCharCode(code)}`),
  },
  { weight: 1, arbitrary: fc.integer({ min: 250, max: 9_000 }).map((length) => 'long '.repeat(length / 5)) },
);

/** Replaces lone surrogates, which no encoding can represent. */
export const wellFormed = (given: string): string => given.replace(/\p{Surrogate}/gu, '\ufffd');

/** A number as JSON can say it and `JSON.stringify` cannot: `unquoted` writes it. */
const number = fc.constantFrom(
  '0',
  '-0',
  '1e999',
  '-1e999',
  '5e-324',
  '1.5',
  '9007199254740993',
  '123456789012345678901234567890',
  '-1',
);

/** Stands for a number in JSON that is not written yet. */
const numeral = number.map((digits) => `NUMBER:${digits}`);

const deep = fc
  .record({ depth: fc.constantFrom(5, 90, 101, 2_000), isList: fc.boolean() })
  .map(({ depth, isList }) => {
    let value: unknown = 'bottom';
    for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value };
    return value;
  });

const key = fc.oneof(
  fc.constantFrom('PROTO', 'constructor', 'entity-type', 'uid', 'name', 'content', 'data', 'dc:title', ''),
  text,
);

/** Generates any JSON value of any shape. */
export const anything: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'json' },
    { weight: 3, arbitrary: fc.oneof(text, numeral, fc.constantFrom(null, true, false), fc.double()) },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'json' }) },
    {
      weight: 1,
      arbitrary: fc.dictionary(key, tie('value'), {
        maxKeys: 3,
        depthIdentifier: 'json',
        noNullPrototype: true,
      }),
    },
  ),
})).value;

/** JSON text, with what no JavaScript value can say. */
export const unquoted = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(/"NUMBER:([^"]*)"/g, '$1').replaceAll('"PROTO":', '"__proto__":');
