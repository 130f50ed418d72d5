import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../src/errors.ts';
import { readDate } from '../../../src/model/values/read-value.ts';

describe('§2.1 dates in bodies', () => {
  test.each([
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-03', '2024-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-03-01T10:15', '2024-03-01T10:15:00.000Z'],
    ['2024-03-01T10:15Z', '2024-03-01T10:15:00.000Z'],
    ['2024-03-01T10:15:30', '2024-03-01T10:15:30.000Z'],
    ['2024-03-01T10:15:30Z', '2024-03-01T10:15:30.000Z'],
    ['2024-03-01T10:15:30.1Z', '2024-03-01T10:15:30.100Z'],
    ['2024-03-01T10:15:30.123456789Z', '2024-03-01T10:15:30.123Z'],
    ['2024-03-01T00:15:30+01:00', '2024-02-29T23:15:30.000Z'],
    ['2024-03-01T10:15:30-0530', '2024-03-01T15:45:30.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['0000-01-01', '0000-01-01T00:00:00.000Z'],
  ])('%s is read as %s', (given, stored) => {
    expect(readDate(given, 'p:x')).toBe(stored);
  });

  test.each([
    '',
    ' ',
    'now',
    '2024-3-1',
    '2024-13-01',
    '2024-00-01',
    '2024-03-00',
    '2024-03-32',
    '20240301',
    '01/03/2024',
    '2023-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-04-31T10:00:00Z',
    '12345',
    '12345-01-01',
    '-0044-03-15',
    '+2024',
    '-000000-01-01',
    '+999999-01-01',
    '+275760-09-13T00:00:00Z',
    '+002024-03-01',
    '-000001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    '2024T10:15',
    '2024-03T10:15',
    '2024-03-01T',
    '2024-03-01T10',
    '2024-03-01T25:00',
    '2024-03-01T10:60',
    '2024-03-01T10:15:61',
    '2024-03-01T10:15:30.',
    '2024-03-01Z',
    '2024-03-01T10:15+99:99',
    '2024-03-01T10:15+1',
    '2024-03-01 10:15',
    '2024-03-01T10:15ZZ',
    '2024-03-01T10:15T',
    '2024-03-01T10:15Z\n',
    ' 2024-03-01',
    '2024-03-01T10:15:30.1234567890Z',
    '٢٠٢٤',
  ])('%j is refused', (given) => {
    expect(() => readDate(given, 'p:x')).toThrow(Invalid);
    expect(() => readDate(given, 'p:x')).toThrow(/^p:x: /);
  });

  const range = { min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };

  test('a stored date is read unchanged', () => {
    fc.assert(
      fc.property(fc.date(range), (date) => {
        expect(readDate(date.toISOString(), 'p:x')).toBe(date.toISOString());
      }),
    );
  });

  test('a date without a time is midnight UTC at its start', () => {
    fc.assert(
      fc.property(fc.date(range), fc.constantFrom(4, 7, 10), (date, precision) => {
        const text = date.toISOString().slice(0, precision);
        expect(readDate(text, 'p:x').slice(0, precision)).toBe(text);
        expect(readDate(text, 'p:x')).toBe(new Date(text).toISOString());
      }),
    );
  });
});
