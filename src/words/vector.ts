import { isTurnOver, yieldToEventLoop } from '../event-loop.ts';
import type { Atom, WordAnalysis } from './atoms.ts';
import { compoundOf, incomplete, lastOf, pairOf, propertyPrefix, quoted, shortened } from './lexemes.ts';

/** The highest position that PostgreSQL stores in a tsvector. */
const maxPosition = 16_383;
/** The maximum number of positions that PostgreSQL stores for a lexeme. */
const maxPositions = 255;

/**
 * The maximum total size of lexemes and positions. PostgreSQL allows 1,048,575 bytes in a tsvector. The lexemes for
 * searches within a property get only part of this space, so that searches of the whole document find as many words of
 * a long text as possible.
 */
const maxBytes = { all: 1_000_000, ofProperties: 150_000 };

/** The maximum number of words in a compound that gets its own lexeme. */
const maxCompound = 20;

/** The weight of a word: A for titles, B for file names and tags, C for other properties, D for the text of files. */
export type Weight = 'A' | 'B' | 'C' | 'D';

/** The words of a compound, such as `report` and `2026` in `report_2026.pdf`. */
interface Compound {
  readonly atoms: Atom[];
  readonly position: number;
}

/** The part of a document to which a text belongs. */
interface Place {
  readonly weight: Weight;
  /**
   * The xpath of the property without list positions, for searches within this property only. The text of files has
   * none.
   */
  readonly property?: string;
}

/**
 * Collects the lexemes of texts for a tsvector:
 * - the stem of each word;
 * - each compound that words are part of, at every level: `report_2026.pdf` and `report_2026`;
 * - each pair of adjacent characters in scripts without spaces. With pairs, every part of a text can be found. A
 *   dictionary would split the same word in different ways, depending on the sentence and the Unicode version.
 * Positions and lexemes that exceed PostgreSQL's limits are omitted, and the lexeme `incomplete` is added instead.
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

  /** Adds one lexeme. @returns the number of bytes that it adds to the tsvector. */
  #putOne(lexeme: string, position: number, weight: Weight): number {
    const key = shortened(lexeme);
    const known = this.#positions.get(key);
    // PostgreSQL stores two bytes for the number of positions and two for each position, and may add one byte for
    // alignment.
    const bytes = known ? 2 : Buffer.byteLength(key) + 5;
    const exceedsLimit = this.#bytes.all + bytes > maxBytes.all;
    if (exceedsLimit || (known && (position > maxPosition || known.length === maxPositions))) {
      this.#isComplete = false;
      return 0;
    }
    // The weight of a lexeme is stored with its position, so a lexeme beyond the last possible position is stored at
    // that position.
    if (position > maxPosition) this.#isComplete = false;
    const written = `${Math.min(position, maxPosition)}${weight === 'D' ? '' : weight}`;
    // If a compound contains no looser joints, all higher levels add the same compound again.
    if (known?.at(-1) === written) return 0;
    if (known) known.push(written);
    else this.#positions.set(key, [written]);
    this.#bytes.all += bytes;
    return bytes;
  }

  /** Adds the words of a text. A phrase never spans two texts. */
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

  /** Formats the tsvector in PostgreSQL's text form. */
  toString(): string {
    const entries = Array.from(
      this.#positions,
      ([lexeme, positions]) => `${quoted(lexeme)}:${positions.join(',')}`,
    );
    if (!this.#isComplete) entries.push(quoted(incomplete));
    return entries.join(' ');
  }
}
