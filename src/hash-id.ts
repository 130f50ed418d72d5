import { createHash } from 'node:crypto';

/** Names a text by 128 bits of its SHA-256, as a UUID. */
export const hashId = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** The same of a text as SQL knows it. */
export const sqlHashId = (text: string): string =>
  `substr(encode(sha256(convert_to(${text}, 'UTF8')), 'hex'), 1, 32)::uuid`;
