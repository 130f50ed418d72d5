import type { BlobShape } from '../../model/values/document-blob.ts';
import type { DocumentRow } from '../documents/document-row.ts';

export interface BlobWithDocument extends BlobShape {
  readonly document?: DocumentRow;
  /** When the document was last changed. */
  readonly modified?: string;
}
