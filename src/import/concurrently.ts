/** A generator rather than an array's iterator: leaving a loop over it early ends it for all who share it. */
function* shared<Item>(items: readonly Item[]): Generator<[number, Item]> {
  yield* items.entries();
}

/**
 * Maps with at most so many at work at a time. After a failure nothing more is begun, and it is thrown once
 * all that was begun has ended.
 */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = shared(items);
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: limit }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}
