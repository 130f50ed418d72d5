import { LRUCache } from 'lru-cache';
import type { Topic } from './announcements.ts';
import type { Database } from './database.ts';

/** What was read of late, for so long as nobody announces that it has changed. */
export interface Remembered<Value extends object> {
  /**
   * What is remembered under the key, else what `read` finds: that is remembered from then on, unless it is nothing.
   * Whoever asks for the same meanwhile waits for the same reading.
   */
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
  /** What is being read now. Begun before a change, it is for those who asked before it, and is not kept. */
  let readings = new Map<string, Promise<Value | undefined>>();
  announcements.on(topic, () => {
    readings = new Map();
    cache.clear();
  });
  return {
    find: async (key, read) => {
      if (!announcements.areHeard()) return read();
      const known = cache.get(key) ?? readings.get(key);
      if (known) return known;
      const mine = readings;
      const reading = read().finally(() => mine.delete(key));
      mine.set(key, reading);
      const found = await reading;
      if (found && mine === readings && announcements.areHeard()) cache.set(key, found);
      return found;
    },
  };
}
