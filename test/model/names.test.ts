import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../src/errors.ts';
import { childPath, documentName, maxNameBytes, suffixedName, truncateBytes } from '../../src/model/names.ts';

const bytes = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Texts with many slashes, dots, blanks, controls and wide characters, often too long for a name. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom('/', '\\', '.', '..', ' ', '\t', '\0', '\u0085', 'é', '€', '😀', 'a'.repeat(200)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** The name of a text, or undefined if the text is refused. */
function nameOf(given: string): string | undefined {
  try {
    return documentName(given);
  } catch (error) {
    if (error instanceof Invalid) return undefined;
    throw error;
  }
}

describe('§2.1 document names', () => {
  test('a name is one path segment of at most 255 bytes without control characters', () => {
    fc.assert(
      fc.property(text, (given) => {
        const name = nameOf(given);
        fc.pre(name !== undefined);
        expect(bytes(name)).toBeLessThanOrEqual(maxNameBytes);
        expect(name).not.toMatch(/[/\\]|\p{Cc}|\p{Surrogate}/u);
        expect(['', '.', '..']).not.toContain(name);
      }),
    );
  });

  test('a name is not changed when it is cleaned again', () => {
    fc.assert(
      fc.property(text, (given) => {
        const name = nameOf(given);
        fc.pre(name !== undefined);
        expect(documentName(name)).toBe(name);
      }),
    );
  });

  test('text without slashes, controls and surrounding blanks is kept unchanged', () => {
    const plain = text.filter(
      (given) =>
        !/[/\\]|\p{Cc}/u.test(given) &&
        given.trim() === given &&
        bytes(given) <= maxNameBytes &&
        given !== '',
    );
    fc.assert(
      fc.property(plain, (given) => {
        fc.pre(given !== '.' && given !== '..');
        expect(documentName(given)).toBe(given);
      }),
    );
  });

  test.each(['', ' ', '\u00a0', '.', '..', ' .. ', 'a\0b', '\ta', 'a\u007f', 'a\u009f'])(
    '%j is refused as a name',
    (given) => {
      expect(() => documentName(given)).toThrow(Invalid);
    },
  );

  test('a blank before the cut of a long name is removed', () => {
    expect(documentName(`${'a'.repeat(254)} b`)).toBe('a'.repeat(254));
  });

  test('a text is cut to its longest beginning within the limit of bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (given, most) => {
        const cut = truncateBytes(given, most);
        const [next = ''] = given.slice(cut.length);
        expect(given.startsWith(cut)).toBe(true);
        expect(bytes(cut)).toBeLessThanOrEqual(most);
        expect(next === '' || bytes(cut + next) > most).toBe(true);
      }),
    );
  });

  test('a suffixed name ends with the milliseconds and stays within 255 bytes', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 8.64e15 }), (given, milliseconds) => {
        const name = nameOf(given);
        fc.pre(name !== undefined);
        const taken = suffixedName(name, milliseconds);
        expect(bytes(taken)).toBeLessThanOrEqual(maxNameBytes);
        expect(taken.endsWith(`.${milliseconds}`)).toBe(true);
        expect(name.startsWith(taken.slice(0, taken.lastIndexOf('.')))).toBe(true);
      }),
    );
  });

  test('a path below the root has no double slash', () => {
    expect(childPath('/', 'a')).toBe('/a');
    expect(childPath('/a', 'b')).toBe('/a/b');
  });
});
