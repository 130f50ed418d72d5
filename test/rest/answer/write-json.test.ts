import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TooLarge } from '../../../src/errors.ts';
import { writeJson } from '../../../src/rest/answer/write-json.ts';

const million = 'x'.repeat(1_000_000);

const limit = 2 ** 24;

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
          expect(String(await writeJson(value, limit))).toBe(JSON.stringify(value));
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
    const entries = Array.from({ length: 500 }, () => ({ text: 'x'.repeat(20_000) }));
    await writeJson({ entries }, limit);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
  });

  test.each([
    ['entries that are all long', { entries: Array.from({ length: 12 }, () => million) }],
    ['long entries behind a short one', { entries: ['short', ...Array.from({ length: 12 }, () => million)] }],
    ['one long entry', { entries: [{ texts: Array.from({ length: 12 }, () => million) }] }],
    ['a long entity', { text: million.repeat(12) }],
  ])('yields by the size of the value, not by the number of its entries: %s', async (_, value) => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    await writeJson(value, limit);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
  });

  test.each([
    ['an entity', { text: Array.from({ length: 30 }, () => million) }],
    ['a list of one entry', { entries: [Array.from({ length: 30 }, () => million)] }],
    ['a list whose entries are all too long', { entries: ['x'.repeat(limit), 'x'.repeat(limit)] }],
    ['more than a string can hold', { text: Array.from({ length: 600 }, () => million) }],
  ])('refuses %s above the limit, and advises to select fewer schemas', async (_, value) => {
    await expect(writeJson(value, limit)).rejects.toThrow(
      new TooLarge(
        'The response would be larger than 16 MB. It may fit with fewer schemas in the header "properties", or with fewer enrichers.',
      ),
    );
  });

  test('says which page size fits', async () => {
    const entries = Array.from({ length: 30 }, () => million);
    await expect(writeJson({ entries }, limit)).rejects.toThrow(/ It would fit with pageSize=16, /);
    expect(limit / million.length).toBeGreaterThan(16);
    expect((await writeJson({ entries: entries.slice(0, 16) }, limit)).length).toBeLessThanOrEqual(limit);
    await expect(writeJson({ entries: entries.slice(0, 17) }, limit)).rejects.toThrow(TooLarge);
  });

  test('serializes at most once what fits, and nothing else, of a list that is too long', async () => {
    const serialized: number[] = [];
    const entries = Array.from({ length: 30 }, (_, index) => ({
      text: million,
      inside: {
        toJSON: () => {
          serialized.push(index);
          return index;
        },
      },
    }));
    await expect(writeJson({ entries }, limit)).rejects.toThrow(/pageSize=16/);
    expect(serialized).toEqual(Array.from({ length: 16 }, (_, index) => index));
  });

  test.each(['entity', 'short list', 'list'])('writes %s of exactly the limit', async (kind) => {
    const value =
      kind === 'entity'
        ? { text: 'é'.repeat(2_000) }
        : { entries: Array.from({ length: 50 }, () => 'é'.repeat(kind === 'list' ? 20_000 : 10)) };
    const bytes = Buffer.from(JSON.stringify(value));
    expect(await writeJson(value, bytes.length)).toEqual(bytes);
    await expect(writeJson(value, bytes.length - 1)).rejects.toThrow(TooLarge);
  });

  test('writes other values as JSON.stringify does', async () => {
    for (const value of [null, 1, 'text', [], {}, { entries: 'none' }, { entries: [1] }])
      expect(String(await writeJson(value, limit))).toBe(JSON.stringify(value));
  });
});
