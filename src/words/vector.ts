import { isTurnOver, yieldToEventLoop } from '../event-loop.ts';
import type { Atom, WordAnalysis } from './atoms.ts';
import { compoundOf, incomplete, lastOf, pairOf, propertyPrefix, quoted, shortened } from './lexemes.ts';

/** PostgreSQL stores positions up to 16,383, and at most 255 of a lexeme. */
const maxPosition = 16_383;
const maxPositions = 255;

/**
 * The most bytes of lexemes and positions. PostgreSQL allows 1,048,575 in a tsvector. The lexemes by which a property is
 * searched alone take a part of them, so that a long text is found by as many of its words as possible.
 */
const maxBytes = { all: 1_000_000, ofProperties: 150_000 };

/** The most words of a compound that is found as a whole. */
const maxCompound = 20;

/** The weight of a word: A for titles, B for file names and tags, C for other properties, D for the text of files. */
export type Weight = 'A' | 'B' | 'C' | 'D';

/** The words of a compound up to one level of joints, such as `report` and `2026` in `report_2026.pdf`. */
interface Compound {
  readonly atoms: Atom[];
  readonly position: number;
}

/** The part of a document from which a text comes. */
interface Place {
  readonly weight: Weight;
  /** The xpath of the property without list positions, for searches in this property only. */
  readonly property?: string;
}

/**
 * Collects the lexemes of texts for a tsvector:
 * - the stem of each word;
 * - the compounds that words are part of, at each level: `report_2026.pdf` and `report_2026`;
 * - each pair of adjacent characters in scripts without spaces. With a dictionary, the same word would be cut differently in
 *   different sentences and by different releases of Unicode; with pairs, every part of a text is found.
 *
 * Positions and lexemes that exceed the limits of PostgreSQL are left out, and the lexeme `incomplete` is added.
 */
export class WordVector {
  readonly #analysis: WordAnalysis;
  readonly #positions = new Map<string, string[]>();
  readonly #bytes = { all: 0, ofProperties: 0 };
  #position = 0;
  #isComplete = true;

  constructor(analysis: WordAnalysis) {
    this.#analysis = analysis;
  }

  #put(lexeme: string, position: number, { weight, property }: Place): void {
    this.#putOne(lexeme, position, weight);
    if (property !== undefined && this.#bytes.ofProperties < maxBytes.ofProperties)
      this.#bytes.ofProperties += this.#putOne(propertyPrefix(property) + lexeme, position, weight);
  }

  /** @returns the additional bytes. */
  #putOne(lexeme: string, position: number, weight: Weight): number {
    const key = shortened(lexeme);
    const known = this.#positions.get(key);
    // A lexeme has two bytes for the number of its positions, and one to align them.
    const bytes = known ? 2 : Buffer.byteLength(key) + 5;
    const hasNoPlace = this.#bytes.all + bytes > maxBytes.all;
    if (hasNoPlace || (known && (position > maxPosition || known.length === maxPositions))) {
      this.#isComplete = false;
      return 0;
    }
    // A lexeme needs a position for its weight.
    if (position > maxPosition) this.#isComplete = false;
    const written = `${Math.min(position, maxPosition)}${weight === 'D' ? '' : weight}`;
    if (known?.at(-1) === written) return 0; // a compound without looser joints is the same at the levels above
    if (known) known.push(written);
    else this.#positions.set(key, [written]);
    this.#bytes.all += bytes;
    return bytes;
  }

  /** Adds the words of a text. Phrases do not reach from one text into the next. */
  async add(text: string, place: Place): Promise<void> {
    const compounds: Array<Compound | undefined> = [undefined, undefined, undefined];
    let lastCharacter: Atom | undefined;
    const endCharacters = (): void => {
      if (lastCharacter) this.#put(lastOf(lastCharacter.folded), this.#position, place);
      lastCharacter = undefined;
    };
    const endCompounds = (levels: number): void => {
      for (let level = 0; level < levels; level += 1) {
        const ended = compounds[level];
        compounds[level] = undefined;
        if (ended && ended.atoms.length > 1 && ended.atoms.length <= maxCompound)
          this.#put(compoundOf(ended.atoms), ended.position, place);
      }
    };
    let count = 0;
    for (const atom of this.#analysis.atomsOf(text)) {
      count += 1;
      if (count % 500 === 0 && isTurnOver()) await yieldToEventLoop();
      if (atom.isCharacter) {
        endCompounds(3);
        if (lastCharacter?.end === atom.start)
          this.#put(pairOf(lastCharacter.folded, atom.folded), this.#position, place);
        else endCharacters();
        this.#position += 1;
        lastCharacter = atom;
        continue;
      }
      endCharacters();
      endCompounds(atom.joint?.level ?? 3);
      this.#position += 1;
      if (atom.stem !== '') this.#put(atom.stem, this.#position, place);
      for (let level = 0; level < 3; level += 1) {
        const compound = compounds[level] ?? { atoms: [], position: this.#position };
        compounds[level] = compound;
        if (compound.atoms.length <= maxCompound) compound.atoms.push(atom);
      }
    }
    endCharacters();
    endCompounds(3);
    this.#position += 1;
  }

  /** The tsvector as PostgreSQL reads it. */
  toString(): string {
    const entries = Array.from(
      this.#positions,
      ([lexeme, positions]) => `${quoted(lexeme)}:${positions.join(',')}`,
    );
    if (!this.#isComplete) entries.push(quoted(incomplete));
    return entries.join(' ');
  }
}
