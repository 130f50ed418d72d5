/** Reduces a lower-case word to its stem. Stop words, which are not searched, become empty. */
export type StemOf = (word: string) => string;

interface Language {
  readonly stemmer: () => Promise<{ readonly stemmer: (word: string) => string }>;
  readonly stopwords: () => Promise<{ readonly stopwords: readonly string[] }>;
}

/**
 * The languages that SEARCH_LANGUAGE can specify. PostgreSQL's own stemmers are not used because they differ between
 * releases.
 */
const languages: Readonly<Record<string, Language>> = {
  arabic: {
    stemmer: () => import('@orama/stemmers/arabic'),
    stopwords: () => import('@orama/stopwords/arabic'),
  },
  armenian: {
    stemmer: () => import('@orama/stemmers/armenian'),
    stopwords: () => import('@orama/stopwords/armenian'),
  },
  bulgarian: {
    stemmer: () => import('@orama/stemmers/bulgarian'),
    stopwords: () => import('@orama/stopwords/bulgarian'),
  },
  danish: {
    stemmer: () => import('@orama/stemmers/danish'),
    stopwords: () => import('@orama/stopwords/danish'),
  },
  dutch: {
    stemmer: () => import('@orama/stemmers/dutch'),
    stopwords: () => import('@orama/stopwords/dutch'),
  },
  english: {
    stemmer: () => import('@orama/stemmers/english'),
    stopwords: () => import('@orama/stopwords/english'),
  },
  finnish: {
    stemmer: () => import('@orama/stemmers/finnish'),
    stopwords: () => import('@orama/stopwords/finnish'),
  },
  french: {
    stemmer: () => import('@orama/stemmers/french'),
    stopwords: () => import('@orama/stopwords/french'),
  },
  german: {
    stemmer: () => import('@orama/stemmers/german'),
    stopwords: () => import('@orama/stopwords/german'),
  },
  greek: {
    stemmer: () => import('@orama/stemmers/greek'),
    stopwords: () => import('@orama/stopwords/greek'),
  },
  hungarian: {
    stemmer: () => import('@orama/stemmers/hungarian'),
    stopwords: () => import('@orama/stopwords/hungarian'),
  },
  indonesian: {
    stemmer: () => import('@orama/stemmers/indonesian'),
    stopwords: () => import('@orama/stopwords/indonesian'),
  },
  irish: {
    stemmer: () => import('@orama/stemmers/irish'),
    stopwords: () => import('@orama/stopwords/irish'),
  },
  italian: {
    stemmer: () => import('@orama/stemmers/italian'),
    stopwords: () => import('@orama/stopwords/italian'),
  },
  lithuanian: {
    stemmer: () => import('@orama/stemmers/lithuanian'),
    stopwords: () => import('@orama/stopwords/lithuanian'),
  },
  nepali: {
    stemmer: () => import('@orama/stemmers/nepali'),
    stopwords: () => import('@orama/stopwords/nepali'),
  },
  norwegian: {
    stemmer: () => import('@orama/stemmers/norwegian'),
    stopwords: () => import('@orama/stopwords/norwegian'),
  },
  portuguese: {
    stemmer: () => import('@orama/stemmers/portuguese'),
    stopwords: () => import('@orama/stopwords/portuguese'),
  },
  romanian: {
    stemmer: () => import('@orama/stemmers/romanian'),
    stopwords: () => import('@orama/stopwords/romanian'),
  },
  russian: {
    stemmer: () => import('@orama/stemmers/russian'),
    stopwords: () => import('@orama/stopwords/russian'),
  },
  serbian: {
    stemmer: () => import('@orama/stemmers/serbian'),
    stopwords: () => import('@orama/stopwords/serbian'),
  },
  spanish: {
    stemmer: () => import('@orama/stemmers/spanish'),
    stopwords: () => import('@orama/stopwords/spanish'),
  },
  swedish: {
    stemmer: () => import('@orama/stemmers/swedish'),
    stopwords: () => import('@orama/stopwords/swedish'),
  },
  tamil: {
    stemmer: () => import('@orama/stemmers/tamil'),
    stopwords: () => import('@orama/stopwords/tamil'),
  },
  turkish: {
    stemmer: () => import('@orama/stemmers/turkish'),
    stopwords: () => import('@orama/stopwords/turkish'),
  },
  ukrainian: {
    stemmer: () => import('@orama/stemmers/ukrainian'),
    stopwords: () => import('@orama/stopwords/ukrainian'),
  },
  hindi: {
    stemmer: () => import('@orama/stemmers/indian'),
    stopwords: () => import('@orama/stopwords/indian'),
  },
};

export const searchLanguages: readonly string[] = Object.keys(languages).sort();

/** Loads the stemmer of a language. Returns undefined for a language that is not in `searchLanguages`. */
export async function stemmerOf(language: string): Promise<StemOf | undefined> {
  const known = Object.hasOwn(languages, language) ? languages[language] : undefined;
  if (!known) return undefined;
  const [{ stemmer }, { stopwords }] = await Promise.all([known.stemmer(), known.stopwords()]);
  const stopped = new Set(stopwords);
  return (word) => (stopped.has(word) ? '' : stemmer(word));
}
