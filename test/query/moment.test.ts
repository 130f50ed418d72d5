import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../src/errors.ts';
import { isDuration, momentText } from '../../src/query/moment.ts';

const now = '2024-03-31T10:00:00.000Z';

describe('§4.7 dates in queries', () => {
  test.each([
    ['P1D', '2024-04-01T10:00:00.000Z'],
    ['-P7D', '2024-03-24T10:00:00.000Z'],
    ['P-7D', '2024-03-24T10:00:00.000Z'],
    ['-P1M', '2024-02-29T10:00:00.000Z'],
    ['-P1Y1M', '2023-02-28T10:00:00.000Z'],
    ['P2W', '2024-04-14T10:00:00.000Z'],
    ['-PT36H', '2024-03-29T22:00:00.000Z'],
    ['PT1M0.5S', '2024-03-31T10:01:00.500Z'],
    ['P1DT-1H', '2024-04-01T09:00:00.000Z'],
  ])('NOW(%p) is %s', (duration, expected) => {
    expect(momentText({ kind: 'now', duration }, now)).toBe(expected);
  });

  test.each([
    ['2024-01-31', '2024-01-31T00:00:00.000Z'],
    ['2024-01-31 10:00:00', '2024-01-31T10:00:00.000Z'],
    ['2024-01-31T10:00:00.5+01:00', '2024-01-31T09:00:00.500Z'],
  ])('%p is %s', (iso, expected) => {
    expect(momentText({ kind: 'moment', iso }, now)).toBe(expected);
  });

  test.each(['', 'P', 'PT', 'P1', '1D', 'P1H', 'PT1D', 'P1DT', 'p1d', 'P1.5D'])(
    '%p is no duration',
    (text) => {
      expect(isDuration(text)).toBe(false);
      expect(() => momentText({ kind: 'now', duration: text }, now)).toThrow(Invalid);
    },
  );

  test('NOW() with a duration is within the years 0 to 9999 or refused', () => {
    const number = fc.integer({ min: -999_999, max: 999_999 });
    fc.assert(
      fc.property(number, number, number, (years, months, days) => {
        try {
          const text = momentText({ kind: 'now', duration: `P${years}Y${months}M${days}D` }, now);
          expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        } catch (error) {
          expect(error).toBeInstanceOf(Invalid);
        }
      }),
    );
  });
});
