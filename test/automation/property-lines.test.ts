import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readLines } from '../../src/automation/property-lines.ts';

describe('§4.7 lines of name=value', () => {
  test.each<[string, Record<string, string>]>([
    ['', {}],
    ['\n \n# a=b\n', {}],
    ['a=b', { a: 'b' }],
    [' a = b ', { a: ' b ' }],
    ['a=b=c\r\nd=', { a: 'b=c', d: '' }],
    ['a=1\\\n2\\\n# no comment\nb=3', { a: '1\n2\n# no comment', b: '3' }],
    ['a=1\\\n\nb=2', { a: '1\n', b: '2' }],
    ['a=ends\\', { a: 'ends\\' }],
    ['a=C:\\new\nb=\\u0041', { a: 'C:\\new', b: '\\u0041' }],
    ['a=1\na=2', { a: '2' }],
    ['constructor=1', { constructor: '1' } as unknown as Record<string, string>],
  ])('%j', (text, expected) => {
    expect(readLines(text)).toEqual(expected);
  });

  test.each([
    ['a', 'line 1 is not of the form name=value'],
    ['a=1\n=2', 'line 2 is not of the form name=value'],
    ['a=1\\\nb\nc', 'line 3 is not of the form name=value'],
  ])('%j is refused', (text, fault) => {
    expect(readLines(text)).toBe(fault);
  });

  test('what a client writes is read as it was', () => {
    const name = fc.stringMatching(/^[\w:]+$/);
    const value = fc.string({ unit: fc.constantFrom('a', '=', '#', ' ', ',', '\n', 'é', '\t') });
    const written = (values: Record<string, string>) =>
      Object.entries(values)
        .map(([key, text]) => `${key}=${text.replaceAll('\n', '\\\n')}`)
        .join('\n');
    fc.assert(
      fc.property(fc.dictionary(name, value), (values) => {
        expect(readLines(written(values))).toEqual({ ...values });
      }),
    );
  });
});
