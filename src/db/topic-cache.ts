import { LRUCache } from 'lru-cache';
import type { Topic } from './announcements.ts';
import type { Database } from './database.ts';

/** A cache of database values, which remain valid until a change to the cache's topic is announced. */
interface TopicCache<Value extends object> {
  /**
   * Returns the cached value or, if there is none, reads it. Concurrent calls share one read. A result of undefined is
   * not cached.
   */
  find(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined>;
}

/**
 * Creates a cache that is cleared by announcements of its topic from this or any other process. The results of reads
 * that began before an announcement are not cached, because they may be outdated. While announcements are not arriving,
 * nothing is cached. (`fetch` of lru-cache cannot be used, because it rejects reads that find nothing.)
 * @param limits the maximum number of values, and their lifetime in milliseconds
 */
export function createTopicCache<Value extends object>(
  { announcements }: Pick<Database, 'announcements'>,
  topic: Topic,
  limits: { readonly size: number; readonly lifetime: number },
): TopicCache<Value> {
  const cache = new LRUCache<string, Value>({ max: limits.size, ttl: limits.lifetime });
  /** The reads in progress that began after the last announcement. */
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
