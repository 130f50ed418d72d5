import { createWordAnalysis, plainAnalysis, type WordAnalysis } from './atoms.ts';
import { stemmerOf } from './language.ts';
import { WordVector } from './vector.ts';

async function load(language: string): Promise<WordAnalysis | undefined> {
  const stemOf = await stemmerOf(language);
  return stemOf && createWordAnalysis({ name: language, stemOf });
}

const loaded = new Map<string, Promise<WordAnalysis | undefined>>();

/**
 * Returns the word analysis for a language; without a language, words are not stemmed. Returns undefined if the
 * language is not in `searchLanguages`.
 */
export async function analysisOf(language?: string): Promise<WordAnalysis | undefined> {
  if (language === undefined) return plainAnalysis;
  const analysis = loaded.get(language) ?? load(language);
  loaded.set(language, analysis);
  return analysis;
}

/** Returns the words in the text of a file, as a tsvector. */
export async function wordsOfText(analysis: WordAnalysis, text: string): Promise<string> {
  const vector = new WordVector(analysis);
  await vector.add(text, { weight: 'D' });
  return vector.toString();
}
