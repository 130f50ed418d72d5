import { describe, expect, test } from '@jest/globals';
import { chosenName, nameClaims } from '../../src/import/names.ts';
import { Skipped } from '../../src/import/skipped.ts';

/** The names that files get in a folder with existing documents, given as titles by name. */
function namesOf(files: readonly string[], stored: Record<string, string> = {}): Record<string, string> {
  const claimOf = nameClaims(files);
  return Object.fromEntries(
    files.map((file) => {
      const claim = claimOf(file);
      return [file, chosenName(file, claim, stored[claim.name])];
    }),
  );
}

describe('names of imported files', () => {
  test('are the names of their files', () => {
    expect(namesOf(['b', 'é ü.txt'])).toEqual({ b: 'b', 'é ü.txt': 'é ü.txt' });
  });

  test('are composed, so that no two that look alike are of different documents', () => {
    const [composed, decomposed] = ['\u00e9.txt', 'e\u0301.txt'];
    expect(namesOf([decomposed])).toEqual({ [decomposed]: composed });
    expect(namesOf([composed, decomposed])).toEqual({
      [composed]: composed,
      [decomposed]: expect.stringMatching(/^\u00e9\.txt\.\d+$/),
    });
  });

  test('are cleaned like document names', () => {
    expect(namesOf([' a\\b '])).toEqual({ ' a\\b ': 'a-b' });
  });

  test('with control characters are refused', () => {
    expect(() => nameClaims(['a\nb'])('a\nb')).toThrow(Skipped);
    expect(nameClaims(['a\nb', 'c'])('c').name).toBe('c');
  });

  test('a shared name goes to the file of exactly that name, else to the first file', () => {
    const spare = expect.stringMatching(/^a-b\.\d+$/);
    expect(namesOf([' a-b', 'a\\b'])).toEqual({ ' a-b': 'a-b', 'a\\b': spare });
    expect(namesOf([' a-b', 'a-b', 'a\\b'])).toEqual({ ' a-b': spare, 'a-b': 'a-b', 'a\\b': spare });
  });

  test('files with a shared name get different names, the same in every import', () => {
    const files = [' a-b', '  a-b', 'a\\b'];
    const names = namesOf(files);
    expect(new Set(Object.values(names)).size).toBe(3);
    expect(namesOf(files)).toEqual(names);
  });

  test('a file keeps its name from an earlier import when a file of exactly that name is added', () => {
    const names = namesOf([' a-b', 'a-b', 'a\\b'], { 'a-b': 'a\\b' });
    expect(names['a\\b']).toBe('a-b');
    expect(names['a-b']).not.toBe('a-b');
  });

  test('a document of another title counts as that of the first file with the name', () => {
    expect(namesOf(['a-b', 'a\\b'], { 'a-b': 'something else' })['a-b']).toBe('a-b');
  });
});
