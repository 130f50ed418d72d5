import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../scope.ts';

const size = 10_000;
const lifetime = 60_000;

/**
 * Credentials that were right a moment ago. Basic sends the password with every call, and a password hash costs
 * milliseconds of CPU; what is kept here is a keyed hash whose key is made at start and never leaves the process.
 */
export interface Verified {
  get(username: string, password: string): Principal | undefined;
  set(username: string, password: string, principal: Principal): void;
}

export function createVerified(): Verified {
  const key = randomBytes(32).toString('base64');
  const cache = new LRUCache<string, Principal>({ max: size, ttl: lifetime });
  const keyOf = (username: string, password: string) =>
    hash('sha256', JSON.stringify([key, username, password]), 'base64');
  return {
    get: (username, password) => cache.get(keyOf(username, password)),
    set: (username, password, principal) => cache.set(keyOf(username, password), principal),
  };
}
