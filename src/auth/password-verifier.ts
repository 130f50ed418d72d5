import { LRUCache } from 'lru-cache';
import { verifyPassword } from '../store/authorities/passwords.ts';
import { keyedDigest } from './digest.ts';

const limits = { max: 10_000, ttl: 60_000 };

/**
 * Caches right passwords for a minute: Basic sends one with every call, and hashing it costs milliseconds of
 * CPU. The key contains the stored hash, so nothing has to be dropped when a password changes.
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
