import { LRUCache } from 'lru-cache';
import { verifyPassword } from '../store/authorities/passwords.ts';
import { keyedDigest } from './digest.ts';

const limits = { max: 10_000, ttl: 60_000 };

/**
 * Creates a verifier that caches correct passwords for a minute. Basic authentication sends the password with every
 * request, and hashing it takes milliseconds of CPU time. The cache key includes the stored hash, so a changed password
 * does not require invalidating the cache.
 */
export function createPasswordVerifier(verify = verifyPassword): typeof verifyPassword {
  const digest = keyedDigest();
  const verified = new LRUCache<string, true>(limits);
  return async (passwordHash, password) => {
    const key = digest([passwordHash ?? '', password]);
    if (verified.has(key)) return true;
    const isRight = await verify(passwordHash, password);
    if (isRight) verified.set(key, true);
    return isRight;
  };
}
