import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { similarWords, typoIn, typoKeysOf, typoKeysOfTyped } from '../../src/words/typos.ts';

const letter = fc.constantFrom(...'abcdeëжщαβ한국𐐷');
const word = fc.array(letter, { minLength: 3, maxLength: 12 });

/** A word and a beginning of it, with one typo, of at least four letters. */
const mistyped = fc
  .tuple(word, fc.nat(), fc.nat(), letter, fc.constantFrom('wrong', 'missing', 'added', 'swapped'))
  .map(([right, end, place, other, kind]) => {
    const beginning = right.slice(0, 3 + (end % (right.length - 2)));
    const at = place % beginning.length;
    const [here = '', next = ''] = beginning.slice(at);
    const removed = { wrong: 1, missing: 1, added: 0, swapped: 2 }[kind];
    const put = { wrong: [other], missing: [], added: [other], swapped: [next, here] }[kind];
    return [right.join(''), beginning.toSpliced(at, removed, ...put).join('')] as const;
  })
  .filter(([, typed]) => Array.from(typed).length >= 4);

describe('typos in the beginnings of words', () => {
  test('are found by common keys, wherever they are', () => {
    fc.assert(
      fc.property(mistyped, ([right, typed]) => {
        expect(typoIn(typed, right)).toBeDefined();
        const keys = new Set(typoKeysOf(right));
        expect(typoKeysOfTyped(typed).some((key) => keys.has(key))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['report', 'report', 6],
    ['repo', 'reporting', 4],
    ['rpo', 'report', 1],
    ['raport', 'reporting', 1],
    ['reprot', 'report', 3],
    ['rreport', 'report', 1],
    ['rapirt', 'report', undefined],
    ['troper', 'report', undefined],
  ])('are at their place: %s for %s: %s', (typed, right, at) => expect(typoIn(typed, right)).toBe(at));

  test('are tolerated in words of four letters or more, not in numbers and names with digits', () => {
    for (const typed of ['', 'abc', '2025', 'q3ab', 'w'.repeat(41)])
      expect(typoKeysOfTyped(typed)).toEqual([]);
    expect(typoKeysOfTyped('abcd')).toEqual(['bcd', 'acd', 'abd', 'abc']);
    expect(typoKeysOf('한국어말')).toContain('한국말');
  });

  test('rank words by similarity, with a typo in the last letter at the end', () => {
    expect(similarWords('repor', ['reporters', 'report', 'table'], 9).exact).toEqual(['report', 'reporters']);
    const candidates = ['tables', 'rapport', 'report', 'reporters', 'deport'];
    expect(similarWords('repord', candidates, 9).corrected).toEqual(['report', 'reporters']);
    expect(similarWords('reportt', candidates, 1)).toEqual({ exact: [], corrected: ['report'] });
    expect(similarWords('raport', candidates, 9).corrected).toEqual(['report', 'rapport', 'reporters']);
  });
});
