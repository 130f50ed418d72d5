import { createHash } from 'node:crypto';

/** Pseudo-random choices, which are the same for the same seed. */
export class Random {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** An integer from 0, or from the first argument, up to but not including the last argument. */
  number(...[first, last]: [number] | [number, number]): number {
    const [from, to] = last === undefined ? [0, first] : [first, last];
    this.#count += 1;
    const hash = createHash('sha256').update(`${this.#seed} ${this.#count}`).digest();
    return from + (hash.readUIntBE(0, 6) % Math.max(1, to - from));
  }

  /** True once in `many` calls on average. */
  chance(many: number): boolean {
    return this.number(many) === 0;
  }

  one<Item>(items: readonly Item[]): Item | undefined {
    return items[this.number(items.length)];
  }
}
