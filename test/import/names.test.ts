import { describe, expect, test } from '@jest/globals';
import { chosenName, claims } from '../../src/import/names.ts';
import { Skipped } from '../../src/import/skipped.ts';

/** The names that files get, beside documents that have these names and titles already. */
function namesOf(files: readonly string[], stored: Record<string, string> = {}): Record<string, string> {
  const claimOf = claims(files);
  return Object.fromEntries(
    files.map((file) => {
      const claim = claimOf(file);
      return [file, chosenName(file, claim, stored[claim.name])];
    }),
  );
}

describe('names of imported files', () => {
  test('are the names of the files', () => {
    expect(namesOf(['b', 'é ü.txt'])).toEqual({ b: 'b', 'é ü.txt': 'é ü.txt' });
  });

  test('are cleaned as names of documents are', () => {
    expect(namesOf([' a\\b '])).toEqual({ ' a\\b ': 'a-b' });
  });

  test('cannot have control characters', () => {
    expect(() => claims(['a\nb'])('a\nb')).toThrow(Skipped);
    expect(claims(['a\nb', 'c'])('c').name).toBe('c');
  });

  test('that meet go to the file that has the name already, else to the first one', () => {
    const spare = expect.stringMatching(/^a-b\.\d+$/);
    expect(namesOf([' a-b', 'a\\b'])).toEqual({ ' a-b': 'a-b', 'a\\b': spare });
    expect(namesOf([' a-b', 'a-b', 'a\\b'])).toEqual({ ' a-b': spare, 'a-b': 'a-b', 'a\\b': spare });
  });

  test('of all those that meet are different, and stay what they are', () => {
    const files = [' a-b', '  a-b', 'a\\b'];
    const names = namesOf(files);
    expect(new Set(Object.values(names)).size).toBe(3);
    expect(namesOf(files)).toEqual(names);
  });

  test('stay with the file that had them when a file with an older claim is added', () => {
    const names = namesOf([' a-b', 'a-b', 'a\\b'], { 'a-b': 'a\\b' });
    expect(names['a\\b']).toBe('a-b');
    expect(names['a-b']).not.toBe('a-b');
  });

  test('that somebody else took count as the first file, imported before', () => {
    expect(namesOf(['a-b', 'a\\b'], { 'a-b': 'something else' })['a-b']).toBe('a-b');
  });
});
