import { fold } from './fold.ts';
import type { StemOf } from './language.ts';

/**
 * The smallest unit that search compares: a word between separators or, in a script that writes no spaces between words,
 * one character with its marks.
 */
export interface Atom {
  /** The place in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly folded: string;
  /** The folded stem of the word; empty for a stop word. Without SEARCH_LANGUAGE it is the folded word. */
  readonly stem: string;
  /** Whether it is a character of a script without spaces, such as Chinese or Thai. */
  readonly isCharacter: boolean;
  /** What joins it to the atom before it; undefined after a separator. */
  readonly joint: Joint | undefined;
}

/** What joins two words of a compound, such as `report_2026.pdf`. */
export interface Joint {
  /** How loosely it joins: 0 within a name, 1 between the names of a file or host, 2 in an address. */
  readonly level: 0 | 1 | 2;
  /** Empty where nothing visible is between the words, as in `m²` or at a soft hyphen. */
  readonly sign: '' | '-';
}

const letter = '[\\p{L}\\p{N}\\p{M}]';
const superscripts = '[¹²³⁰⁴-⁹]';
/** Symbols that stand for letters, such as ™, ℃ or ㎏. */
const symbols =
  '[\\u20a8\\u2100-\\u214f\\u249c-\\u24e9\\u2e9f\\u2ef3\\u2f00-\\u2fd5\\u3196-\\u319f\\u3200-\\u33ff\\u{1f110}-\\u{1f251}]';
/** A character of a script that does not separate words. */
const unspaced =
  `(?=${letter})(?![\\p{M}\\u02b0-\\u02ff])[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Thai}` +
  '\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tai_Le}\\p{scx=New_Tai_Lue}\\p{scx=Tai_Tham}\\p{scx=Tai_Viet}]';
/** Such a character with its marks, including the half-width voicing marks of Japanese. */
const character = `${unspaced}[\\p{M}\\uff9e\\uff9f]{0,100}`;
/** A longer word would exceed the stack of the regular expression; its parts are joined without a sign. */
const longest = 1_000;
const word = `(?:(?!${superscripts}|\\u02bc|${unspaced})${letter}){1,${longest}}|${superscripts}{1,${longest}}|${symbols}`;
/** Punctuation that joins words to names and addresses. Invisible characters join words as well, except the zero-width space. */
const joints = "[-_'’ʼ&+‐‑⁄.@/:#?=%~\\\\]{1,3}|(?:(?!\\u200b)\\p{Cf}){1,100}";

const atomPattern = new RegExp(`(${joints})?(?:(${word})|(${character}))`, 'gu');

/** A faster pattern with the same result for ASCII texts. */
const asciiPattern = /([-_'&+.@/:#?=%~\\]{1,3})?([0-9A-Za-z]{1,1000})/g;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

function jointOf(text: string | undefined): Joint {
  if (text === undefined || /^\p{Cf}/u.test(text)) return { level: 0, sign: '' };
  return { level: /[@/:#?=%~\\]/.test(text) ? 2 : text.includes('.') ? 1 : 0, sign: '-' };
}

type Words = ReadonlyArray<Pick<Atom, 'folded' | 'stem' | 'isCharacter'>>;

/** The maximum number of words whose forms are cached. A cache is worthwhile, because most words of a text are repetitions. */
const maxCached = 50_000;

/** Splits texts into atoms. The index, queries and highlights use the same analysis. */
export interface WordAnalysis {
  /**
   * Identifies the version and the language of the analysis. The index has to be rebuilt when it changes, because queries and
   * the index must be analyzed alike.
   */
  readonly key: string;
  /** The atoms of a text, in order. The time is proportional to the length of the text. */
  readonly atomsOf: (text: string) => Generator<Atom, void>;
}

/** To be increased with every change in how texts are split or folded, so that servers rebuild the index. */
const version = 1;

/** @param language of SEARCH_LANGUAGE; without it, words are searched as they are. */
export function createWordAnalysis(language?: {
  readonly name: string;
  readonly stemOf: StemOf;
}): WordAnalysis {
  const stemOf = language?.stemOf;
  const cached = new Map<string, Words>();

  const formsOf = (written: string): Words => {
    // Some letters stand for several words or characters, such as ½ for 1 and 2.
    const words = Array.from(fold(written).matchAll(atomPattern), ([, , spaced, one]) => {
      const folded = spaced ?? one ?? '';
      return { folded, stem: folded, isCharacter: spaced === undefined };
    });
    const [only] = words;
    if (!stemOf || only === undefined || words.length > 1) return words;
    return [{ ...only, stem: fold(stemOf(written.normalize('NFC').toLowerCase())) }];
  };

  const wordsOf = (written: string): Words => {
    const known = cached.get(written);
    if (known) return known;
    const words = formsOf(written);
    if (written.length > 50) return words;
    if (cached.size === maxCached) cached.clear();
    cached.set(written, words);
    return words;
  };

  return {
    key: language ? `${version} ${language.name}` : `${version}`,
    *atomsOf(text) {
      let lastEnd = -1;
      let isAfterCharacter = false;
      // A loop with exec takes a fifth of the time of matchAll. The copy has a position of its own.
      const pattern = new RegExp(isAscii(text) ? asciiPattern : atomPattern);
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        const [whole, between, spaced, one] = match;
        const written = spaced ?? one ?? '';
        const end = match.index + whole.length;
        const start = end - written.length;
        let joint = match.index === lastEnd ? jointOf(between) : undefined;
        for (const { folded, stem, isCharacter } of wordsOf(written)) {
          if (isCharacter || isAfterCharacter) joint = undefined;
          yield { start, end, folded, stem, isCharacter, joint };
          joint = { level: 0, sign: '-' };
          isAfterCharacter = isCharacter;
        }
        lastEnd = end;
      }
    },
  };
}

/** The analysis without SEARCH_LANGUAGE. */
export const plainAnalysis = createWordAnalysis();
