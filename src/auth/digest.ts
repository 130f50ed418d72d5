import { hash, randomBytes } from 'node:crypto';

/** Digests with a random key that never leaves the process: as keys of a cache they reveal no credentials. */
export function keyedDigest(): (parts: readonly string[]) => string {
  const key = randomBytes(32).toString('base64');
  return (parts) => hash('sha256', JSON.stringify([key, ...parts]), 'base64');
}
