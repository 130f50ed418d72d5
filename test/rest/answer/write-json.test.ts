import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../src/errors.ts';
import { writeJson } from '../../../src/rest/answer/write-json.ts';

const million = 'x'.repeat(1_000_000);

describe('writeJson', () => {
  test('writes the same text as JSON.stringify for long lists', async () => {
    const entry = fc.oneof(fc.jsonValue(), fc.constant(undefined));
    const list = fc.array(entry, { minLength: 95, maxLength: 250, size: 'max' });
    await fc.assert(
      fc.asyncProperty(list, fc.dictionary(fc.string(), fc.jsonValue()), async (entries, others) => {
        fc.pre(!Object.hasOwn(others, '__proto__'));
        const { entries: _, ...envelope } = others;
        // The list is long enough to be written in several turns.
        for (const first of [1, 20_000, 200_000]) {
          const value = { ...envelope, entries: ['x'.repeat(first), ...entries] };
          expect(String(await writeJson(value))).toBe(JSON.stringify(value));
        }
      }),
      { numRuns: 30 },
    );
  });

  test('yields to the event loop while it writes a long list', async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    const entries = Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(20_000) }));
    await writeJson({ entries });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
  });

  test('yields by the size of the entries, not by their number', async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    await writeJson({ entries: Array.from({ length: 20 }, () => million) });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
  });

  test.each([
    ['a list', { entries: Array.from({ length: 150 }, () => million) }],
    ['a list of one', { entries: [Array.from({ length: 150 }, () => million)] }],
    ['an entity', { text: Array.from({ length: 150 }, () => million) }],
    ['more than a string can hold', { text: Array.from({ length: 600 }, () => million) }],
  ])('refuses %s longer than 128 MB', async (_, value) => {
    await expect(writeJson(value)).rejects.toThrow(
      new Invalid('the answer would be longer than 128 MB: ask for fewer entries, or for less of each'),
    );
  });

  test('writes other values as JSON.stringify does', async () => {
    for (const value of [null, 1, 'text', [], {}, { entries: 'none' }, { entries: [1] }])
      expect(String(await writeJson(value))).toBe(JSON.stringify(value));
  });
});
