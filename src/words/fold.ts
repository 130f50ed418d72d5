/** Lower-case letters that Unicode does not decompose, mapped to the letters that people type in their place. */
const substitutes: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ı: 'i',
  ς: 'σ',
};

const substituted = /[æœøłđðþħŧŋĸıς]/gu;

/**
 * Marks that writers can omit: accents, Arabic vowel signs, Hebrew points, variation selectors, and the Arabic tatweel,
 * which only lengthens a word. Marks of other scripts are preserved, because they are vowels or tones that distinguish
 * words. The voicing marks of kana are preserved because they distinguish letters.
 */
const optionalMarks =
  /\u0640|(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu;

const hangulJamo = /[\u1100-\u11ff]+/gu;

/**
 * Converts a word to the form in which words are compared: ignoring case, accents, character width and ligatures.
 * `Straße`, `STRASSE` and `ｓｔｒａｓｓｅ` have the same form. The form stays decomposed, so that folding a prefix of a word
 * yields a prefix of the folded word. Only Hangul syllables are composed, because they would otherwise take three times
 * the space.
 */
export function fold(word: string): string {
  if (/^[\0-\x7f]*$/.test(word)) return word.toLowerCase();
  return (
    word
      .normalize('NFKD')
      .replace(optionalMarks, '')
      .toLowerCase()
      // Some lower-case variants, such as ſ and s, only become equal in upper case.
      .toUpperCase()
      .toLowerCase()
      .replace(substituted, (letter) => substitutes[letter] ?? letter)
      .replace(hangulJamo, (syllables) => syllables.normalize('NFC'))
  );
}
