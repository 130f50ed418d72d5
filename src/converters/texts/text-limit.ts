import type { Converted } from '../converter.ts';

/** Characters of a file that are searched: what follows them is left out. */
export const textLimit = 1_000_000;

/** The beginning of a text as what a converter makes. */
export const asText = (text: string): Converted => ({
  mimeType: 'text/plain',
  bytes: Buffer.from(text.slice(0, textLimit), 'utf8'),
});
