import { decodeAny } from '../../blobs/text.ts';
import { analysisOf, wordsOfText } from '../../words/analysis.ts';
import { textLimit } from './text-limit.ts';

/** A request to list the words in a text for the search index. */
export interface WordsOrder {
  readonly text: Uint8Array;
  /** Whether the text is only the beginning of a file, so that its last character may be incomplete. */
  readonly isTruncated: boolean;
  /** The declared encoding of the text, if there is one. */
  readonly encoding: string | null;
  /** The language of SEARCH_LANGUAGE. */
  readonly language: string | undefined;
}

/** Lists the words in a text. @returns a tsvector */
export async function listWords({ text, isTruncated, encoding, language }: WordsOrder): Promise<string> {
  const analysis = await analysisOf(language);
  if (!analysis) throw new Error(`there is no stemmer for ${language}`);
  return wordsOfText(analysis, decodeAny(text, isTruncated, encoding).slice(0, textLimit));
}
