import { createHash } from 'node:crypto';

/** Choices that are the same again for the same seed. */
export class Random {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** A whole number from 0, or from the first one, to one below the last. */
  number(...[first, last]: [number] | [number, number]): number {
    const [from, to] = last === undefined ? [0, first] : [first, last];
    this.#count += 1;
    const hash = createHash('sha256').update(`${this.#seed} ${this.#count}`).digest();
    return from + (hash.readUIntBE(0, 6) % Math.max(1, to - from));
  }

  /** One in so many. */
  chance(many: number): boolean {
    return this.number(many) === 0;
  }

  one<Item>(items: readonly Item[]): Item | undefined {
    return items[this.number(items.length)];
  }
}
