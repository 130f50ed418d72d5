import { createHash } from 'node:crypto';

/** The first 128 bits of a text's SHA-256, as a UUID. */
export const hashId = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** SQL that computes `hashId` of an SQL text. */
export const sqlHashId = (text: string): string =>
  `substr(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 1, 32)::uuid`;
