import type { Converted } from '../converter.ts';

/** The number of characters of a file that are searched. The rest is ignored. */
export const textLimit = 1_000_000;

/** The result of a converter to text, truncated to the limit. */
export const asText = (text: string): Converted => ({
  mimeType: 'text/plain',
  bytes: Buffer.from(text.slice(0, textLimit), 'utf8'),
});
