import type { Ask, Operation } from '../operation.ts';

/** §8: documents that one answer may have inside of those that were asked for, each counted wherever it is shown. */
const most = 20_000;

/** A document that the answer shows, once it is known, in so many places. */
interface Place {
  readonly shown: Record<string, unknown>;
  uses: number;
}

/** The documents one level further down than what is being spelled, wherever they are in it. */
export class Inside {
  readonly places = new Map<string, Place>();
  /** How often what is being spelled is shown. */
  uses = 1;
  private shown: number;

  /** @param shown how many documents there are inside the answer already. */
  constructor(shown = 0) {
    this.shown = shown;
  }

  /** Stands for a document until it is known; undefined when there is no room for it any more. */
  document(uid: string): unknown {
    if (this.shown + this.uses > most) return undefined;
    const place = this.places.get(uid) ?? { shown: {}, uses: 0 };
    place.uses += this.uses;
    this.shown += this.uses;
    this.places.set(uid, place);
    return place.shown;
  }

  /** For the next level. */
  next(): Inside {
    return new Inside(this.shown);
  }
}

/** How documents of some level are asked for by `ids`, and how one of them is spelled. */
export interface AskedInside {
  readonly operation: Operation;
  readonly present: (document: unknown, inside: Inside, shown: Record<string, unknown>) => unknown;
}

/**
 * Finds the documents inside an answer, level by level, and puts them where they are shown: all of a level are asked
 * for at once, and each is asked for and spelled once, in however many places it is.
 * @param asked what is asked of the documents so many levels below.
 */
export async function findInside(
  first: Inside,
  asked: (level: number) => AskedInside,
  ask: Ask,
): Promise<void> {
  let inside = first;
  for (let level = 1; inside.places.size > 0; level += 1) {
    const { places } = inside;
    const { operation, present } = asked(level);
    const { documents } = await ask(operation, { ids: [...places.keys()] });
    inside = inside.next();
    const found = documents as readonly unknown[];
    for (const [index, [uid, { shown, uses }]] of [...places].entries()) {
      inside.uses = uses;
      // One that somebody has deleted just now is nothing but its id.
      if (found[index]) present(found[index], inside, shown);
      else Object.assign(shown, { 'entity-type': 'document', uid });
    }
  }
}
