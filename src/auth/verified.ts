import { LRUCache } from 'lru-cache';
import { keyedDigest } from './digest.ts';

const size = 10_000;
const lifetime = 60_000;

/**
 * Passwords that were right a moment ago, each for one stored hash. Basic sends the password with every call, and a
 * password hash costs milliseconds of CPU. Whoever asks brings the hash that is stored now: nothing needs to be
 * forgotten when it changes.
 */
export interface Verified {
  has(passwordHash: string, password: string): boolean;
  add(passwordHash: string, password: string): void;
}

export function createVerified(): Verified {
  const digest = keyedDigest();
  const cache = new LRUCache<string, true>({ max: size, ttl: lifetime });
  return {
    has: (...pair) => cache.has(digest(pair)),
    add: (...pair) => cache.set(digest(pair), true),
  };
}
