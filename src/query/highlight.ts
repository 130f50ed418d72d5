import type { Condition } from './ast.ts';
import { readWords } from './words.ts';

// §4.9 highlight: where in a text the words are that a search looks for.

/** Words that a search looks for, next to each other when there are several: folded, as they are compared. */
interface Phrase {
  readonly words: readonly string[];
  /** Whether the last word may go on. */
  readonly isPrefix: boolean;
}

/** What a search looks for by its words. */
export interface SoughtWords {
  /** The property that they must be in; any when absent. */
  readonly property?: string;
  readonly phrases: readonly Phrase[];
}

/** A word of a text: where it is, and what it is compared by. */
interface Word {
  readonly start: number;
  readonly end: number;
  readonly folded: string;
}

/** In lower case and without accents, as words are found. */
const fold = (word: string): string => word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    ...{ start: index, end: index + word.length },
    folded: fold(word),
  }));

const inField = 'ecm:fulltext.';

function soughtIn(property: string, text: string): SoughtWords {
  const terms = readWords(text).flat();
  const phrases = terms
    .filter(({ isExcluded }) => !isExcluded)
    .map((term) => ({ words: wordsIn(term.text).map(({ folded }) => folded), isPrefix: term.isPrefix }));
  return { phrases, ...(property.startsWith(inField) && { property: property.slice(inField.length) }) };
}

/** The words that a condition looks for, wherever it does; what must not be there is not looked for. */
export function soughtWords(condition: Condition | undefined): readonly SoughtWords[] {
  switch (condition?.kind) {
    case 'and':
    case 'or':
      return condition.of.flatMap(soughtWords);
    case 'compare': {
      const { property, op, value } = condition;
      const isFullText = property === 'ecm:fulltext' || property.startsWith(inField);
      return isFullText && op === '=' && typeof value === 'string' ? [soughtIn(property, value)] : [];
    }
    default:
      return [];
  }
}

function isAt({ words, isPrefix }: Phrase, text: readonly Word[], first: number): boolean {
  return words.every((word, index) => {
    const folded = text[first + index]?.folded;
    const mayGoOn = isPrefix && index === words.length - 1;
    return folded !== undefined && (mayGoOn ? folded.startsWith(word) : folded === word);
  });
}

/** The words of a text that are looked for. */
function hitsIn(text: readonly Word[], phrases: readonly Phrase[]): ReadonlySet<number> {
  const hits = new Set<number>();
  for (const phrase of phrases) {
    if (phrase.words.length === 0) continue;
    for (const first of text.keys())
      if (isAt(phrase, text, first)) for (const index of phrase.words.keys()) hits.add(first + index);
  }
  return hits;
}

/** Words before and after a hit that are shown with it, and the most parts of a text that are shown. */
const around = 10;
const mostSegments = 5;

/** The parts of a text with hits in them, by the first and the last of their words. */
function partsOf(hits: ReadonlySet<number>, count: number): Array<[first: number, last: number]> {
  const parts: Array<[number, number]> = [];
  for (const hit of [...hits].sort((a, b) => a - b)) {
    const [first, last] = [Math.max(0, hit - around), Math.min(count - 1, hit + around)];
    const before = parts.at(-1);
    if (before && first <= before[1] + 1) before[1] = last;
    else if (parts.length === mostSegments) break;
    else parts.push([first, last]);
  }
  return parts;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** Characters of a text that are looked at. */
const mostCharacters = 50_000;

/**
 * The parts of a text around the words that are looked for, as HTML: these words are in `<em>`, and nothing else is
 * markup, whatever the text says. None where no such word is.
 */
export function segmentsOf(whole: string, phrases: readonly Phrase[]): string[] {
  const text = whole.slice(0, mostCharacters);
  const words = wordsIn(text);
  const hits = hitsIn(words, phrases);
  return partsOf(hits, words.length).map(([first, last]) => {
    let at = first === 0 ? 0 : (words[first]?.start ?? 0);
    let segment = '';
    for (let index = first; index <= last; index += 1) {
      const word = words[index];
      if (!word || !hits.has(index)) continue;
      segment += `${escaped(text.slice(at, word.start))}<em>${escaped(text.slice(word.start, word.end))}</em>`;
      at = word.end;
    }
    const end = last === words.length - 1 ? text.length : (words[last]?.end ?? text.length);
    return segment + escaped(text.slice(at, end));
  });
}
