/** Lower-case letters that Unicode does not decompose, with the letters that people type for them. */
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
 * Marks that writers can leave out: accents, Arabic vowel signs, Hebrew points and variation selectors, and the Arabic
 * tatweel, which only lengthens a word. The marks of other scripts are vowels or tones that distinguish words, and the
 * voicing marks of kana distinguish letters.
 */
const optionalMarks =
  /\u0640|(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu;

const hangulJamo = /[\u1100-\u11ff]+/gu;

/**
 * Converts a word to the form by which words are compared, without case, accents, width and ligatures: `Straße`, `STRASSE`
 * and `ｓｔｒａｓｓｅ` have the same form. The form stays decomposed, so that the form of a word's beginning is the beginning
 * of the word's form. Only Hangul syllables are composed, which would otherwise take three times the space.
 */
export function fold(word: string): string {
  if (/^[\0-\x7f]*$/.test(word)) return word.toLowerCase();
  return (
    word
      .normalize('NFKD')
      .replace(optionalMarks, '')
      .toLowerCase()
      // Letters such as ſ and ß have variants in lower case that are the same in upper case.
      .toUpperCase()
      .toLowerCase()
      .replace(substituted, (letter) => substitutes[letter] ?? letter)
      .replace(hangulJamo, (syllables) => syllables.normalize('NFC'))
  );
}
