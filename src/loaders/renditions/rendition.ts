import type { BlobShape } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/** A kind of file that is made from documents. */
export interface Rendition {
  readonly name: string;
  /** The kind of rendition in the terms of CMIS; empty for most. */
  readonly kind: string;
  /** The name of the icon, one of those that come with the server. */
  readonly icon: string;
  /** Whether lists of renditions show it. */
  readonly isVisible: boolean;
  /** Whether a document has the rendition. */
  readonly isOf: (context: Context, document: DocumentRow) => boolean;
  /** Whether the programs that it needs are installed. Otherwise lists do not show it, and making it fails with 501. */
  readonly isReady?: (context: Context, document: DocumentRow) => boolean;
  readonly make: (context: Context, document: DocumentRow) => Promise<BlobShape>;
}
