import { setImmediate } from 'node:timers/promises';
import { jsonStepBytes } from '../../model/values/json-steps.ts';
import { type NestedList, type OwnSize, ownSize } from './shared-entity.ts';

/** The length of `,"resultsCount":12345678`. */
const bytesOfCount = 24;

type Sizes = ReadonlyMap<unknown, OwnSize>;

/**
 * Measures all values and all distinct nested entities, pausing in between so that other requests are processed.
 * @returns undefined if the values exceed the limit even with empty lists
 */
async function measure(values: readonly unknown[], limit: number): Promise<Sizes | undefined> {
  const sizes = new Map<unknown, OwnSize>();
  let sinceTurn = 0;
  const add = async (value: unknown): Promise<OwnSize> => {
    const size = ownSize(value);
    sizes.set(value, size);
    sinceTurn += size.bytes;
    if (sinceTurn > jsonStepBytes) {
      sinceTurn = 0;
      await setImmediate();
    }
    return size;
  };
  let bytes = 0;
  for (const value of values) {
    bytes += (await add(value)).bytes;
    if (bytes > limit) return undefined; // The response is too long even without lists.
  }
  const inside = ({ entities, lists }: OwnSize): unknown[] => entities.concat(...(lists as never[]));
  const left = [...sizes.values()].flatMap(inside);
  while (left.length > 0) {
    const entity = left.pop();
    if (!sizes.has(entity)) for (const each of inside(await add(entity))) left.push(each);
  }
  return sizes;
}

/**
 * The number of entries that remain in each list, and the resulting length of each value, if no list takes up more than
 * `bytesOfList` bytes.
 */
class Lengths {
  readonly ofLists = new Map<NestedList, number>();
  readonly #bytes = new Map<unknown, number>();
  readonly #sizes: Sizes;
  readonly #bytesOfList: number;

  constructor(sizes: Sizes, bytesOfList: number) {
    this.#sizes = sizes;
    this.#bytesOfList = bytesOfList;
  }

  bytesOf(value: unknown): number {
    const known = this.#bytes.get(value);
    if (known !== undefined) return known;
    const { bytes = 0, entities = [], lists = [] } = this.#sizes.get(value) ?? {};
    let sum = bytes;
    for (const entity of entities) sum += this.bytesOf(entity);
    for (const list of lists) sum += this.#bytesOf(list);
    this.#bytes.set(value, sum);
    return sum;
  }

  #bytesOf(list: NestedList): number {
    let [sum, length] = [0, 0];
    for (const entry of list) {
      const next = sum + this.bytesOf(entry) + 1; // One more byte for the comma.
      if (next > this.#bytesOfList) break;
      sum = next;
      length += 1;
    }
    this.ofLists.set(list, length);
    return length < list.length ? sum + bytesOfCount : sum;
  }
}

/**
 * Truncates the nested lists in a response so that the response fits into `limit` bytes. Every list is limited to the
 * same number of bytes, so short lists remain complete, and a list whose first entry exceeds the limit becomes empty. A
 * binary search determines the limit.
 * @param values the parts of the response; only lists inside them are truncated
 * @returns whether the response fits; if it is too long even without lists, nothing is truncated
 */
export async function cutLists(values: readonly unknown[], limit: number): Promise<boolean> {
  const sizes = await measure(values, limit);
  if (!sizes) return false;
  const fitted = (bytesOfList: number): Lengths | undefined => {
    const lengths = new Lengths(sizes, bytesOfList);
    const bytes = values.reduce((sum: number, value) => sum + lengths.bytesOf(value) + 1, 0);
    return bytes <= limit ? lengths : undefined;
  };
  let bytesOfList = limit;
  let lengths = fitted(bytesOfList);
  while (!lengths && bytesOfList > 0) {
    bytesOfList = Math.floor(bytesOfList / 2);
    lengths = fitted(bytesOfList);
  }
  if (!lengths) return false;
  // The binary search can leave up to half of the limit unused. Therefore smaller and smaller amounts are added as long
  // as the response still fits.
  for (let more = bytesOfList / 2; more >= 1 && bytesOfList < limit; more = Math.floor(more / 2)) {
    const larger = fitted(bytesOfList + more);
    if (!larger) continue;
    lengths = larger;
    bytesOfList += more;
  }
  for (const [list, length] of lengths.ofLists) list.cut(length);
  return true;
}
