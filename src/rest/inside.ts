import type { Ask, Operation } from '../operation.ts';
import type { InsideKind } from '../selection.ts';

/** §8: documents that one answer may have inside of those that were asked for, each counted wherever it is shown. */
const most = 20_000;

/** An entity that the answer shows, once it is known, in so many places. */
interface Place {
  readonly shown: Record<string, unknown>;
  uses: number;
}

/** The entities one level further down than what is being spelled, wherever they are in it. */
export class Inside {
  readonly places: Readonly<Record<InsideKind, Map<string, Place>>> = {
    document: new Map(),
    user: new Map(),
  };
  /** How often what is being spelled is shown. */
  uses = 1;
  private shown: number;

  /** @param shown how many documents there are inside the answer already. */
  constructor(shown = 0) {
    this.shown = shown;
  }

  /** Stands for an entity until it is known; undefined when there is no room for a document any more. */
  place(kind: InsideKind, id: string): unknown {
    if (kind === 'document') {
      if (this.shown + this.uses > most) return undefined;
      this.shown += this.uses;
    }
    const places = this.places[kind];
    const place = places.get(id) ?? { shown: {}, uses: 0 };
    place.uses += this.uses;
    places.set(id, place);
    return place.shown;
  }

  /** The kinds of which there are any. */
  get kinds(): InsideKind[] {
    const { document, user } = this.places;
    if (document.size > 0) return user.size > 0 ? ['document', 'user'] : ['document'];
    return user.size > 0 ? ['user'] : [];
  }

  /** For the next level. */
  next(): Inside {
    return new Inside(this.shown);
  }
}

/** Spells an entity as what stands for it already. */
type Present = (entity: unknown, inside: Inside, shown: Record<string, unknown>) => unknown;

/** How entities of some level and some kinds are asked for by lists of ids, and how one of them is spelled. */
export interface AskedInside {
  readonly operation: Operation;
  readonly present: Readonly<Record<InsideKind, Present>>;
}

/** One that somebody has deleted just now is nothing but its id. */
export const gone = {
  document: (uid: string) => ({ 'entity-type': 'document', uid }),
  user: (id: string) => ({ 'entity-type': 'user', id }),
};

/**
 * Finds the entities inside an answer, level by level, and puts them where they are shown: all of a level are asked
 * for at once, and each is asked for and spelled once, in however many places it is.
 * @param asked what is asked of the entities so many levels below; data and inputs are called by the kinds.
 */
export async function findInside(
  first: Inside,
  asked: (level: number, kinds: readonly InsideKind[]) => AskedInside,
  ask: Ask,
): Promise<void> {
  let inside = first;
  for (let level = 1, { kinds } = inside; kinds.length > 0; level += 1, { kinds } = inside) {
    const { places } = inside;
    const { operation, present } = asked(level, kinds);
    const data = await ask(
      operation,
      Object.fromEntries(kinds.map((kind) => [kind, [...places[kind].keys()]])),
    );
    inside = inside.next();
    for (const kind of kinds) {
      const found = data[kind] as readonly unknown[];
      let index = 0;
      for (const [id, { shown, uses }] of places[kind]) {
        inside.uses = uses;
        if (found[index]) present[kind](found[index], inside, shown);
        else Object.assign(shown, gone[kind](id));
        index += 1;
      }
    }
  }
}
