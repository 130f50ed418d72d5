import type { WordAnalysis } from './atoms.ts';

// Finds words whose beginning differs from a typed prefix by one typo: a wrong, missing or additional letter, or two
// adjacent letters that are swapped. Each word is stored with keys, which are its first characters with one of them
// deleted; a typed prefix and a word that differ by one typo have a key in common. The extension pg_trgm is not used,
// because it handles only ASCII letters under the locale C.

/**
 * Keys are derived from this many characters at the beginning of a word. For a typed prefix, the largest possible
 * number is used, because fewer words share a longer key.
 */
const lengths = [4, 5, 7] as const;

/** The minimum length of a prefix for which typos are tolerated. A shorter prefix would resemble too many words. */
const minTyped = lengths[0];

/** The maximum length of a word for which typos are tolerated. Longer words are usually ids. */
const maxWord = 40;

/**
 * Whether typos are tolerated in a word. They are not tolerated in numbers, because a similar number has a different
 * meaning.
 */
const isWord = (word: string): boolean => /^\p{L}[\p{L}\p{M}]*$/u.test(word) && word.length <= maxWord;

/** Returns the first `length` characters with one of them deleted, once for each position. */
const deletionsOf = (characters: readonly string[], length: number): string[] => {
  const first = characters.slice(0, length);
  return first.map((_, at) => first.toSpliced(at, 1).join(''));
};

/** Returns the keys under which a word is stored. They have at most six characters and contain no spaces. */
export function typoKeysOf(word: string): string[] {
  const characters = Array.from(word);
  const keys = lengths.flatMap((length) => {
    if (characters.length >= length) return deletionsOf(characters, length);
    return characters.length === length - 1 ? [word] : [];
  });
  return [...new Set(keys)];
}

/**
 * Returns the keys to look up when a user has typed a prefix. The list is empty if typos are not tolerated in the
 * prefix.
 */
export function typoKeysOfTyped(typed: string): string[] {
  if (!isWord(typed)) return [];
  const characters = Array.from(typed);
  const length = lengths.findLast((each) => each <= characters.length);
  return length === undefined ? [] : [...new Set(deletionsOf(characters, length))];
}

/**
 * Returns the position of the typo in a typed prefix, compared with a word. Returns the length of the prefix if the
 * word begins with it, and undefined if there is more than one typo.
 */
export function typoIn(typed: string, word: string): number | undefined {
  const [one, other] = [Array.from(typed), Array.from(word)];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  if (at === one.length) return at;
  const endsAlike = (skipped: number, skippedOther: number): boolean =>
    one.slice(at + skipped).every((character, index) => character === other[at + skippedOther + index]);
  const isSwapped = one[at] === other[at + 1] && one[at + 1] === other[at];
  const isTypo = endsAlike(1, 1) || endsAlike(0, 1) || endsAlike(1, 0) || (isSwapped && endsAlike(2, 2));
  return isTypo ? at : undefined;
}

/** Returns the distinct words in a text for which typos are tolerated. */
export const wordsForTypos = ({ atomsOf }: WordAnalysis, text: string): string[] => [
  ...new Set(
    Array.from(atomsOf(text)).flatMap(({ stem, isCharacter }) =>
      !isCharacter && stem.length >= minTyped - 1 && isWord(stem) ? [stem] : [],
    ),
  ),
];

/** The words that a user may have meant by a typed prefix, most similar first. */
export interface SimilarWords {
  /** The words that begin with the prefix. */
  readonly exact: readonly string[];
  /** The words that begin with the prefix after one typo has been corrected. */
  readonly corrected: readonly string[];
}

/** Selects the candidates that a user may have meant by a typed prefix, up to a limit for each list. */
export function similarWords(typed: string, candidates: readonly string[], limit: number): SimilarWords {
  const length = Array.from(typed).length;
  const found = candidates.flatMap((word) => {
    const at = typoIn(typed, word);
    if (at === undefined) return [];
    // A typo in the last character is the least certain, because the user may still be typing a different word.
    const uncertainty = at === length - 1 ? 100 : at === 0 ? 2 : 0;
    const distance = Math.abs(Array.from(word).length - length) + uncertainty;
    return [{ word, isExact: at === length, distance }];
  });
  const nearest = (isExact: boolean): string[] =>
    found
      .filter((one) => one.isExact === isExact)
      .sort((one, other) => one.distance - other.distance)
      .slice(0, limit)
      .map(({ word }) => word);
  return { exact: nearest(true), corrected: nearest(false) };
}
