import { createHash } from 'node:crypto';

/** Makes pseudo-random choices. The same seed always produces the same choices. */
export class Random {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /**
   * Returns a random integer. With one argument, it is at least 0 and less than the argument; with two, it is at least
   * the first and less than the second.
   */
  number(...[first, last]: [number] | [number, number]): number {
    const [from, to] = last === undefined ? [0, first] : [first, last];
    this.#count += 1;
    const hash = createHash('sha256').update(`${this.#seed} ${this.#count}`).digest();
    return from + (hash.readUIntBE(0, 6) % Math.max(1, to - from));
  }

  /** Returns true once in `many` calls on average. */
  chance(many: number): boolean {
    return this.number(many) === 0;
  }

  one<Item>(items: readonly Item[]): Item | undefined {
    return items[this.number(items.length)];
  }
}
