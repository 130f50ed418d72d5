import { expect, test } from '@jest/globals';
import { hasMoreCharacters } from '../../../src/model/values/characters.ts';

test.each([
  ['', 0, false],
  ['a', 0, true],
  ['ab', 2, false],
  ['abc', 2, true],
  ['😀😀', 2, false],
  ['😀😀', 1, true],
  ['😀😀a', 2, true],
  ['a😀', 2, false],
  ['abcde', 2, true],
])('%j has more than %d characters: %s', (text, limit, more) => {
  expect(hasMoreCharacters(text, limit)).toBe(more);
});
