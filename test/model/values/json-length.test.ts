import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { minJsonBytes } from '../../../src/model/values/json-length.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

test('counts no more bytes than the JSON of any value has, and at least its characters', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const least = minJsonBytes({ value, unset: undefined }, Number.MAX_SAFE_INTEGER);
      expect(least).toBeLessThanOrEqual(bytesOf({ value, unset: undefined }));
    }),
  );
  const texts = { one: 'x'.repeat(1_000), many: Array.from({ length: 10 }, () => 'y'.repeat(100)) };
  expect(minJsonBytes(texts, Number.MAX_SAFE_INTEGER)).toBeGreaterThan(2_000);
});

test('ends above the limit, and leaves out what it is told to', () => {
  const visited: number[] = [];
  const entries = Array.from({ length: 100 }, (_, index) => ({
    get text() {
      visited.push(index);
      return 'x'.repeat(100);
    },
  }));
  expect(minJsonBytes(entries, 250)).toBeGreaterThan(250);
  expect(visited).toEqual([0, 1, 2]);
  expect(minJsonBytes({ entries }, 10_000, Array.isArray)).toBeLessThan(20);
});
