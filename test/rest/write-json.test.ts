import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { writeJson } from '../../src/rest/write-json.ts';

describe('long lists', () => {
  test('are written as JSON.stringify writes them', async () => {
    const entry = fc.oneof(fc.jsonValue(), fc.constant(undefined));
    const list = fc.array(entry, { minLength: 95, maxLength: 250, size: 'max' });
    await fc.assert(
      fc.asyncProperty(list, fc.dictionary(fc.string(), fc.jsonValue()), async (entries, others) => {
        fc.pre(!Object.hasOwn(others, '__proto__'));
        const { entries: _, ...envelope } = others;
        const value = { ...envelope, entries };
        expect(await writeJson(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 30 },
    );
  });

  test('let others have their turn', async () => {
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 0);
    const entries = Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(20_000) }));
    await writeJson({ entries });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
  });

  test('what is no list is written at once', async () => {
    for (const value of [null, 1, 'text', [], {}, { entries: 'none' }, { entries: [1] }])
      expect(await writeJson(value)).toBe(JSON.stringify(value));
  });
});
