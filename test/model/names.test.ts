import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../src/errors.ts';
import { childPath, cutBytes, documentName, longestName, takenName } from '../../src/model/names.ts';

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Texts in which what matters to names is frequent: slashes, dots, blanks, controls, length, wide characters. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom('/', '\\', '.', '..', ' ', '\t', '\0', '\u0085', 'é', '€', '😀', 'a'.repeat(200)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** The name of a text, or undefined when it has none. */
function nameOf(given: string): string | undefined {
  try {
    return documentName(given);
  } catch (error) {
    if (error instanceof Invalid) return undefined;
    throw error;
  }
}

describe('§2.1 names', () => {
  test('a name is one segment of at most 255 bytes that can be addressed', () => {
    fc.assert(
      fc.property(text, (given) => {
        const name = nameOf(given);
        fc.pre(name !== undefined);
        expect(bytes(name)).toBeLessThanOrEqual(longestName);
        expect(name).not.toMatch(/[/\\]|\p{Cc}|\p{Surrogate}/u);
        expect(['', '.', '..']).not.toContain(name);
      }),
    );
  });

  test('a name is the name of itself', () => {
    fc.assert(
      fc.property(text, (given) => {
        const name = nameOf(given);
        fc.pre(name !== undefined);
        expect(documentName(name)).toBe(name);
      }),
    );
  });

  test('what has no slash, no control and no blank around it is kept as given', () => {
    const plain = text.filter(
      (given) =>
        !/[/\\]|\p{Cc}/u.test(given) && given.trim() === given && bytes(given) <= longestName && given !== '',
    );
    fc.assert(
      fc.property(plain, (given) => {
        fc.pre(given !== '.' && given !== '..');
        expect(documentName(given)).toBe(given);
      }),
    );
  });

  test.each(['', ' ', '\u00a0', '.', '..', ' .. ', 'a\0b', '\ta', 'a\u007f', 'a\u009f'])(
    '%j is no name',
    (given) => {
      expect(() => documentName(given)).toThrow(Invalid);
    },
  );

  test('a blank at the place of the cut goes too', () => {
    expect(documentName(`${'a'.repeat(254)} b`)).toBe('a'.repeat(254));
  });

  test('a cut is the longest beginning that fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (given, most) => {
        const cut = cutBytes(given, most);
        const [next = ''] = given.slice(cut.length);
        expect(given.startsWith(cut)).toBe(true);
        expect(bytes(cut)).toBeLessThanOrEqual(most);
        expect(next === '' || bytes(cut + next) > most).toBe(true);
      }),
    );
  });

  test('a taken name gains milliseconds and stays within 255 bytes', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 8.64e15 }), (given, milliseconds) => {
        const name = nameOf(given);
        fc.pre(name !== undefined);
        const taken = takenName(name, milliseconds);
        expect(bytes(taken)).toBeLessThanOrEqual(longestName);
        expect(taken.endsWith(`.${milliseconds}`)).toBe(true);
        expect(name.startsWith(taken.slice(0, taken.lastIndexOf('.')))).toBe(true);
      }),
    );
  });

  test('a path below the root has one slash', () => {
    expect(childPath('/', 'a')).toBe('/a');
    expect(childPath('/a', 'b')).toBe('/a/b');
  });
});
