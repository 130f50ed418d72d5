import escapeHtml from 'escape-html';
import type { Condition } from './ast.ts';
import { readWords } from './full-text.ts';

// §4.9 `highlight`: marks the searched words in a text.

/** Adjacent words of a full-text condition, folded for comparison. */
interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

export interface SearchedWords {
  /** The property that must contain them; any when absent. */
  readonly property?: string;
  readonly phrases: readonly Phrase[];
}

interface Word {
  readonly start: number;
  readonly end: number;
  readonly folded: string;
}

/** Lower case without accents, as the full-text index has words. */
const fold = (word: string): string => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    folded: fold(word),
  }));

const fullTextPrefix = 'ecm:fulltext.';

function wordsOf(property: string, text: string): SearchedWords {
  const terms = readWords(text).flat();
  const phrases = terms
    .filter(({ isExcluded }) => !isExcluded)
    .map((term) => ({ words: wordsIn(term.text).map(({ folded }) => folded), isPrefix: term.isPrefix }));
  if (!property.startsWith(fullTextPrefix)) return { phrases };
  return { phrases, property: property.slice(fullTextPrefix.length) };
}

/** The words of all full-text conditions that are not negated. */
export function searchedWords(condition: Condition | undefined): readonly SearchedWords[] {
  switch (condition?.kind) {
    case 'and':
    case 'or':
      return condition.of.flatMap(searchedWords);
    case 'compare': {
      const { property, op, value } = condition;
      const isFullText = property === 'ecm:fulltext' || property.startsWith(fullTextPrefix);
      return isFullText && op === '=' && typeof value === 'string' ? [wordsOf(property, value)] : [];
    }
    default:
      return [];
  }
}

function matchesAt({ words, isPrefix }: Phrase, text: readonly Word[], first: number): boolean {
  return words.every((word, index) => {
    const folded = text[first + index]?.folded;
    const isOpen = isPrefix && index === words.length - 1;
    return folded !== undefined && (isOpen ? folded.startsWith(word) : folded === word);
  });
}

function hitsIn(text: readonly Word[], phrases: readonly Phrase[]): ReadonlySet<number> {
  const hits = new Set<number>();
  for (const phrase of phrases) {
    if (phrase.words.length === 0) continue;
    for (const first of text.keys())
      if (matchesAt(phrase, text, first)) for (const index of phrase.words.keys()) hits.add(first + index);
  }
  return hits;
}

/** Words of context before and after a hit. */
const contextWords = 10;
const maxSegments = 5;

/** The segments around the hits, as indexes of their first and last word; segments that touch are joined. */
function segmentsOf(hits: ReadonlySet<number>, count: number): Array<[first: number, last: number]> {
  const segments: Array<[number, number]> = [];
  for (const hit of [...hits].sort((a, b) => a - b)) {
    const [first, last] = [Math.max(0, hit - contextWords), Math.min(count - 1, hit + contextWords)];
    const before = segments.at(-1);
    if (before && first <= before[1] + 1) before[1] = last;
    else if (segments.length === maxSegments) break;
    else segments.push([first, last]);
  }
  return segments;
}

/** Only the beginning of a longer text is searched. */
const maxCharacters = 50_000;

/** The parts of a text around the searched words, as HTML with these words in `<em>` and the rest escaped. */
export function highlightedSegments(fullText: string, phrases: readonly Phrase[]): string[] {
  const text = fullText.slice(0, maxCharacters);
  const words = wordsIn(text);
  const hits = hitsIn(words, phrases);
  return segmentsOf(hits, words.length).map(([first, last]) => {
    let at = first === 0 ? 0 : (words[first]?.start ?? 0);
    let segment = '';
    for (let index = first; index <= last; index += 1) {
      const word = words[index];
      if (!word || !hits.has(index)) continue;
      segment += `${escapeHtml(text.slice(at, word.start))}<em>${escapeHtml(text.slice(word.start, word.end))}</em>`;
      at = word.end;
    }
    const end = last === words.length - 1 ? text.length : (words[last]?.end ?? text.length);
    return segment + escapeHtml(text.slice(at, end));
  });
}
