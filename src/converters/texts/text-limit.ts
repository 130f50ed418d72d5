import type { Converted } from '../converter.ts';

/** The maximum number of characters of a file's text that are searchable. Any further text is ignored. */
export const textLimit = 1_000_000;

/** Creates the result of a converter that produces text. Text beyond the limit is cut off. */
export const asText = (text: string): Converted => ({
  mimeType: 'text/plain',
  bytes: Buffer.from(text.slice(0, textLimit), 'utf8'),
});
