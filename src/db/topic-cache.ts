import { LRUCache } from 'lru-cache';
import type { Topic } from './announcements.ts';
import type { Database } from './database.ts';

/** A cache of what was read from the database, valid until a change of its topic is announced. */
interface TopicCache<Value extends object> {
  /**
   * The cached value, or else what `read` finds; concurrent calls share one read. Undefined is not cached.
   */
  find(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined>;
}

/**
 * An announcement of this or any other process drops all values, and the values of reads under way are not
 * cached then (`fetch` of lru-cache would reject those that find nothing). Without a connection for
 * announcements there is no cache.
 * @param limits the lifetime is in milliseconds.
 */
export function createTopicCache<Value extends object>(
  { announcements }: Pick<Database, 'announcements'>,
  topic: Topic,
  limits: { readonly size: number; readonly lifetime: number },
): TopicCache<Value> {
  const cache = new LRUCache<string, Value>({ max: limits.size, ttl: limits.lifetime });
  /** Reads under way that began after the last announcement. */
  let reads = new Map<string, Promise<Value | undefined>>();
  announcements.on(topic, () => {
    reads = new Map();
    cache.clear();
  });
  return {
    find: async (key, read) => {
      if (!announcements.isConnected()) return read();
      const known = cache.get(key) ?? reads.get(key);
      if (known) return known;
      const current = reads;
      const reading = read().finally(() => current.delete(key));
      current.set(key, reading);
      const value = await reading;
      if (value && current === reads && announcements.isConnected()) cache.set(key, value);
      return value;
    },
  };
}
