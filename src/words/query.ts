import type { Atom, WordAnalysis } from './atoms.ts';
import {
  compoundOf,
  incomplete,
  lastOf,
  maxBeginning,
  pairOf,
  propertyPrefix,
  quoted,
  shortened,
} from './lexemes.ts';

/** Restricts which words of a document are searched. Without a restriction, all words are searched. */
export interface WordScope {
  /** Restricts the search to words with one of these weights. */
  readonly weight?: 'A' | 'AB' | 'ABC';
  /** Restricts the search to the property with this xpath, which contains no list positions. */
  readonly property?: string;
}

/** A tsquery for one word of a phrase, and the position of the word in the phrase. */
interface Part {
  readonly sql: string;
  readonly position: number;
}

/**
 * Builds a tsquery for adjacent words. In documents with missing positions, it matches the words in any order, because
 * a phrase could not match such documents.
 */
function phraseOf(parts: readonly Part[]): string {
  const [first, ...others] = parts;
  if (!first) return '';
  if (others.length === 0) return first.sql;
  let { sql, position } = first;
  for (const part of others) {
    sql += ` <${part.position - position}> ${part.sql}`;
    position = part.position;
  }
  return `(${sql} | ${parts.map((part) => part.sql).join(' & ')} & ${quoted(incomplete)})`;
}

/**
 * Builds a tsquery that finds the words of a text, in order, in the tsvectors of `WordVector`. A compound is found by
 * its own lexeme or by its words in the same order.
 * @param isPrefix whether the last word also matches longer words that begin with it.
 * @returns an empty string if the text contains no words.
 */
export function tsqueryOf(
  { atomsOf }: WordAnalysis,
  text: string,
  { isPrefix, weight, property }: WordScope & { readonly isPrefix: boolean },
): string {
  const prefix = property === undefined ? '' : propertyPrefix(property);
  const lexeme = (value: string, isBeginning: boolean): string => {
    const whole = prefix + value;
    const written = quoted(isBeginning ? whole.slice(0, maxBeginning).toWellFormed() : shortened(whole));
    const label = `${isBeginning ? '*' : ''}${weight ?? ''}`;
    return label === '' ? written : `${written}:${label}`;
  };
  const atoms = [...atomsOf(text)];
  const isLast = (index: number): boolean => isPrefix && index === atoms.length - 1;

  const partOf = (atom: Atom, index: number): Part | undefined => {
    if (!atom.isCharacter)
      return atom.stem === '' ? undefined : { sql: lexeme(atom.stem, isLast(index)), position: index };
    const next = atoms[index + 1];
    if (next?.isCharacter && next.start === atom.end)
      return { sql: lexeme(pairOf(atom.folded, next.folded), isLast(index + 1)), position: index };
    const before = atoms[index - 1];
    // The previous pair already contains this character.
    if (before?.isCharacter && before.end === atom.start) return undefined;
    return { sql: lexeme(isLast(index) ? atom.folded : lastOf(atom.folded), true), position: index };
  };
  const phrase = phraseOf(atoms.flatMap((atom, index) => partOf(atom, index) ?? []));
  const isCompound =
    atoms.length > 1 && atoms.every(({ joint }, index) => index === 0 || joint !== undefined);
  if (!isCompound) return phrase;
  const whole = lexeme(compoundOf(atoms), isPrefix);
  return phrase === '' ? whole : `(${whole} | ${phrase})`;
}
