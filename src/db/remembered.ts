import { LRUCache } from 'lru-cache';
import type { Topic } from './announcements.ts';
import type { Database } from './database.ts';

/** What was read of late, for so long as nobody announces that it has changed. */
export interface Remembered<Value extends object> {
  /** What is remembered under the key, else what `read` finds: that is remembered from then on, unless it is nothing. */
  find(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined>;
}

/**
 * A bounded memory of this process. It is dropped whenever the topic is announced, here or in another process; what
 * was read while that happened is not kept; and while others are not heard, nothing is remembered at all.
 * @param limits how many values are kept, and how long in milliseconds.
 */
export function remember<Value extends object>(
  { announcements }: Pick<Database, 'announcements'>,
  topic: Topic,
  limits: { readonly size: number; readonly lifetime: number },
): Remembered<Value> {
  const cache = new LRUCache<string, Value>({ max: limits.size, ttl: limits.lifetime });
  let generation = 0;
  announcements.on(topic, () => {
    generation += 1;
    cache.clear();
  });
  return {
    find: async (key, read) => {
      const known = announcements.areHeard() ? cache.get(key) : undefined;
      if (known) return known;
      const before = generation;
      const found = await read();
      if (found && before === generation && announcements.areHeard()) cache.set(key, found);
      return found;
    },
  };
}
