import { hash, randomBytes } from 'node:crypto';

/**
 * Makes digests under a key that is made here and never leaves the process: what is remembered by them tells nothing
 * of the credentials it stands for.
 */
export function keyedDigest(): (parts: readonly string[]) => string {
  const key = randomBytes(32).toString('base64');
  return (parts) => hash('sha256', JSON.stringify([key, ...parts]), 'base64');
}
