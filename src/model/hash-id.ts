import { hash } from 'node:crypto';

/** Returns the first 128 bits of a string's SHA-256 hash as a UUID. */
export function hashId(text: string): string {
  const hex = hash('sha256', text);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return parts.join('-');
}

/** Returns SQL that computes `hashId` for a SQL expression of type text. */
export const sqlHashId = (text: string): string =>
  `substr(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 1, 32)::uuid`;
