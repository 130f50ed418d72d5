import escapeHtml from 'escape-html';
import type { Atom, WordAnalysis } from '../words/atoms.ts';
import type { Condition } from './ast.ts';
import { QueryBudget } from './budget.ts';
import { FullTexts, fullTextProperty, isFullText } from './full-text.ts';

// Implements the enricher `highlight` (§4.9), which marks search terms in a text.

/** Returns the form of a word in which search terms and the words of a text are compared. */
const formOf = ({ isCharacter, folded, stem }: Atom): string => (isCharacter ? folded : stem);

/** The adjacent words of a term in a full-text condition, in the form that is used for comparing words. */
interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

export interface SearchedWords {
  /** The property that must contain the words; undefined for any property. */
  readonly property?: string;
  readonly phrases: readonly Phrase[];
}

function wordsOf(property: string, text: string, analysis: WordAnalysis): SearchedWords {
  const terms = new FullTexts(new QueryBudget(), analysis).read(text).flat();
  const phrases = terms
    .filter(({ isExcluded }) => !isExcluded)
    .map((term) => ({
      words: [...analysis.atomsOf(term.text)].map(formOf).filter((word) => word !== ''),
      isPrefix: term.isPrefix,
    }));
  const searched = fullTextProperty(property);
  return searched === undefined ? { phrases } : { phrases, property: searched };
}

/** Returns the words in all full-text conditions that are not negated, without duplicates. */
export function searchedWords(
  condition: Condition | undefined,
  analysis: WordAnalysis,
): readonly SearchedWords[] {
  const found = new Map<string, SearchedWords>();
  const collect = (one: Condition | undefined): void => {
    if (one?.kind === 'and' || one?.kind === 'or') one.of.forEach(collect);
    const isSought = one?.kind === 'in' || (one?.kind === 'compare' && one.op === '=');
    if (!isSought || !isFullText(one.property)) return;
    for (const value of one.kind === 'in' ? one.values : [one.value]) {
      const key = `${one.property} ${value}`;
      if (!found.has(key)) found.set(key, wordsOf(one.property, String(value), analysis));
    }
  };
  collect(condition);
  return [...found.values()];
}

/** Returns the number of words that a phrase matches at a position in a text: the length of the phrase, or 0. */
function matchAt({ words, isPrefix }: Phrase, text: readonly Atom[], first: number): number {
  const isMatch = words.every((word, index) => {
    const atom = text[first + index];
    const isOpen = isPrefix && index === words.length - 1;
    return atom !== undefined && (isOpen ? formOf(atom).startsWith(word) : formOf(atom) === word);
  });
  return isMatch ? words.length : 0;
}

/** Groups phrases by their first word, so that a text is compared only with phrases whose first word it contains. */
function phrasesByBeginning(phrases: readonly Phrase[]): (word: string) => readonly Phrase[] {
  const byBeginning = new Map<string, Phrase[]>();
  const lengths = new Set<number>();
  for (const phrase of phrases) {
    const [first, second] = phrase.words;
    if (first === undefined) continue;
    const isOpen = phrase.isPrefix && second === undefined;
    if (isOpen) lengths.add(first.length);
    const key = isOpen ? `${first}*` : first;
    byBeginning.set(key, [...(byBeginning.get(key) ?? []), phrase]);
  }
  return (word) => [
    ...(byBeginning.get(word) ?? []),
    ...[...lengths].flatMap((length) => byBeginning.get(`${word.slice(0, length)}*`) ?? []),
  ];
}

/** Returns the indexes of the words that are part of a phrase, in ascending order. */
function hitsIn(text: readonly Atom[], phrases: readonly Phrase[]): ReadonlySet<number> {
  const beginning = phrasesByBeginning(phrases);
  const hits = new Set<number>();
  let end = 0; // The end of the matches found so far. Words before this index have already been added.
  for (const [first, atom] of text.entries()) {
    const counts = beginning(formOf(atom)).map((phrase) => matchAt(phrase, text, first));
    const last = first + Math.max(0, ...counts);
    for (let index = Math.max(first, end); index < last; index += 1) hits.add(index);
    end = Math.max(end, last);
  }
  return hits;
}

/** The number of words that are shown before and after a matching word. */
const contextWords = 10;
const maxSegments = 5;

/**
 * Returns the segments around the matching words, as the indexes of their first and last words. Adjacent segments
 * are merged.
 */
function segmentsOf(hits: ReadonlySet<number>, count: number): Array<[first: number, last: number]> {
  const segments: Array<[number, number]> = [];
  for (const hit of hits) {
    const [first, last] = [Math.max(0, hit - contextWords), Math.min(count - 1, hit + contextWords)];
    const before = segments.at(-1);
    if (before && first <= before[1] + 1) before[1] = last;
    else if (segments.length === maxSegments) break;
    else segments.push([first, last]);
  }
  return segments;
}

/** Returns the parts of a text around the matching words as HTML, with these words in `<em>`. The text is escaped. */
export function highlightedSegments(
  text: string,
  phrases: readonly Phrase[],
  { atomsOf }: WordAnalysis,
): string[] {
  const words = [...atomsOf(text)];
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
