import type { BlobShape } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/** A kind of file that can be created from documents. */
export interface Rendition {
  readonly name: string;
  /** The kind of rendition as defined by CMIS; empty for most. */
  readonly kind: string;
  /** The name of an icon that comes with the server. */
  readonly icon: string;
  /** Whether lists of renditions include it. */
  readonly isVisible: boolean;
  /** Whether a document has the rendition. */
  readonly isOf: (context: Context, document: DocumentRow) => boolean;
  /** Whether the programs that it needs are installed. If not, lists omit it, and creating it fails with 501. */
  readonly isReady?: (context: Context, document: DocumentRow) => boolean;
  readonly make: (context: Context, document: DocumentRow) => Promise<BlobShape>;
}
