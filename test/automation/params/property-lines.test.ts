import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parsePropertyLines } from '../../../src/automation/params/property-lines.ts';

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
  ])('of the text %j are read as the expected properties', (text, expected) => {
    expect(parsePropertyLines(text)).toEqual(expected);
  });

  test.each([
    ['a', 'line 1 is not of the form name=value'],
    ['a=1\n=2', 'line 2 is not of the form name=value'],
    ['a=1\\\nb\nc', 'line 3 is not of the form name=value'],
  ])('of the text %j are refused', (text, fault) => {
    expect(parsePropertyLines(text)).toBe(fault);
  });

  test('are 10,000 properties at most', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join('\n');
    expect(Object.keys(parsePropertyLines(lines(10_000)))).toHaveLength(10_000);
    expect(() => parsePropertyLines(lines(10_001))).toThrow('the text has more than 10000 properties');
  });

  test('of a value with many line breaks are joined once', () => {
    const count = 99_000;
    const before = process.cpuUsage();
    expect(parsePropertyLines(`a=${'x\\\n'.repeat(count)}y`)).toEqual({ a: `${'x\n'.repeat(count)}y` });
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });

  test('written by a client are read back unchanged', () => {
    const name = fc.stringMatching(/^[\w:]+$/).filter((text) => text !== '__proto__');
    const value = fc.string({ unit: fc.constantFrom('a', '=', '#', ' ', ',', '\n', 'é', '\t') });
    const written = (values: Record<string, string>) =>
      Object.entries(values)
        .map(([key, text]) => `${key}=${text.replaceAll('\n', '\\\n')}`)
        .join('\n');
    fc.assert(
      fc.property(fc.dictionary(name, value), (values) => {
        expect(parsePropertyLines(written(values))).toEqual({ ...values });
      }),
    );
  });
});
