import type { BlobShape } from '../../model/values/document-blob.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/** A blob, along with the document that it belongs to, if there is one. */
export interface BlobWithDocument extends BlobShape {
  readonly document?: DocumentRow;
  /** The date of the document's last change. */
  readonly modified?: string;
}
