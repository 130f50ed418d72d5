import { fold } from './fold.ts';
import type { StemOf } from './language.ts';

/**
 * The smallest unit of search: a word between separators or, in a script that is written without spaces, one character
 * with its combining marks.
 */
export interface Atom {
  /** The offset in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly folded: string;
  /** The folded stem of the word; empty for a stop word. If SEARCH_LANGUAGE is not set, words are not stemmed. */
  readonly stem: string;
  /** Whether the atom is a character of a script that is written without spaces, such as Chinese or Thai. */
  readonly isCharacter: boolean;
  /** How this atom is joined to the previous one; undefined if a separator precedes it. */
  readonly joint: Joint | undefined;
}

/** The punctuation between two words of a compound such as `report_2026.pdf`. */
export interface Joint {
  /**
   * How loosely the words are joined: 0 within a name, 1 between the parts of a file name or host name, 2 in an
   * address.
   */
  readonly level: 0 | 1 | 2;
  /**
   * The sign that stands for the punctuation in lexemes; empty if nothing is visible between the words, as in `m²` or
   * at a soft hyphen.
   */
  readonly sign: '' | '-';
}

const letter = '[\\p{L}\\p{N}\\p{M}]';
const superscripts = '[¹²³⁰⁴-⁹]';
/** Symbols that stand for letters, such as ™, ℃ or ㎏. */
const symbols =
  '[\\u20a8\\u2100-\\u214f\\u249c-\\u24e9\\u2e9f\\u2ef3\\u2f00-\\u2fd5\\u3196-\\u319f\\u3200-\\u33ff\\u{1f110}-\\u{1f251}]';
/** A character of a script that is written without spaces. */
const unspaced =
  `(?=${letter})(?![\\p{M}\\u02b0-\\u02ff])[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Thai}` +
  '\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tai_Le}\\p{scx=New_Tai_Lue}\\p{scx=Tai_Tham}\\p{scx=Tai_Viet}]';
/**
 * A character of a script without spaces, with its combining marks. The half-width voicing marks of Japanese count as
 * combining marks.
 */
const character = `${unspaced}[\\p{M}\\uff9e\\uff9f]{0,100}`;
/**
 * The maximum number of letters that one match covers. Longer words could overflow the stack of the regular expression
 * engine, so they are split into parts that are joined without a sign.
 */
const longest = 1_000;
const word = `(?:(?!${superscripts}|\\u02bc|${unspaced})${letter}){1,${longest}}|${superscripts}{1,${longest}}|${symbols}`;
/**
 * Punctuation that joins words into names or addresses. Invisible characters other than the zero-width space also join
 * words.
 */
const joints = "[-_'’ʼ&+‐‑⁄.@/:#?=%~\\\\]{1,3}|(?:(?!\\u200b)\\p{Cf}){1,100}";

const atomPattern = new RegExp(`(${joints})?(?:(${word})|(${character}))`, 'gu');

/** A pattern for ASCII text that is faster than `atomPattern` and finds the same atoms. */
const asciiPattern = /([-_'&+.@/:#?=%~\\]{1,3})?([0-9A-Za-z]{1,1000})/g;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

function jointOf(text: string | undefined): Joint {
  if (text === undefined || /^\p{Cf}/u.test(text)) return { level: 0, sign: '' };
  return { level: /[@/:#?=%~\\]/.test(text) ? 2 : text.includes('.') ? 1 : 0, sign: '-' };
}

type Words = ReadonlyArray<Pick<Atom, 'folded' | 'stem' | 'isCharacter'>>;

/**
 * The maximum number of words whose forms are cached. Most words in a text occur repeatedly, so a cache saves most of
 * the work.
 */
const maxCached = 50_000;

/**
 * Splits text into atoms. The index, queries and highlights share this analysis, because a word is found only if all
 * three split it in the same way.
 */
export interface WordAnalysis {
  /**
   * Identifies the version and the language of the analysis. When the key changes, the index must be rebuilt, because
   * it was built with a different analysis from the one that queries now use.
   */
  readonly key: string;
  /** The language whose words are stemmed; undefined if words are not stemmed. */
  readonly language: string | undefined;
  /** Yields the atoms of a text in order. The running time is proportional to the length of the text. */
  readonly atomsOf: (text: string) => Generator<Atom, void>;
}

/**
 * The version of the index. It must be increased with every change in how text is split or folded, in which words of
 * files are extracted, or in what a rebuild writes, so that servers rebuild the index of an existing database.
 */
const version = 3;

/** Returns the key of the analysis for a language. */
export const analysisKey = (language?: string): string =>
  language === undefined ? `${version}` : `${version} ${language}`;

/**
 * Creates the analysis for a language.
 * @param language the language set in SEARCH_LANGUAGE; if it is absent, words are not stemmed.
 */
export function createWordAnalysis(language?: {
  readonly name: string;
  readonly stemOf: StemOf;
}): WordAnalysis {
  const stemOf = language?.stemOf;
  const cached = new Map<string, Words>();

  const formsOf = (written: string): Words => {
    // Some letters expand to several words or characters: ½ becomes 1 and 2.
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
    language: language?.name,
    key: analysisKey(language?.name),
    *atomsOf(text) {
      let lastEnd = -1;
      let isAfterCharacter = false;
      // A loop with `exec` takes a fifth of the time that `matchAll` takes. The pattern is copied because texts are
      // analyzed concurrently and `lastIndex` is part of the pattern's state.
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

export const plainAnalysis = createWordAnalysis();
