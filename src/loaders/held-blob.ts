import type { BlobShape } from '../model/document-blob.ts';
import type { DocumentRow } from './document-row.ts';

/** Bytes, and the document that they are of. */
export interface HeldBlob extends BlobShape {
  readonly document?: DocumentRow;
}
