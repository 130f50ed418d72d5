import { hash, randomBytes } from 'node:crypto';

/**
 * Creates a digest function with a random key that never leaves the process. Its digests can serve as cache keys
 * without revealing the credentials from which they are derived.
 */
export function keyedDigest(): (parts: readonly string[]) => string {
  const key = randomBytes(32).toString('base64');
  return (parts) => hash('sha256', JSON.stringify([key, ...parts]), 'base64');
}
