import type { BlobShape } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/** One way to present a document as a file. */
export interface Rendition {
  readonly name: string;
  /** What clients of CMIS call it; empty for most. */
  readonly kind: string;
  /** Of the pictures that come with the server. */
  readonly icon: string;
  /** Whether the list of a document's renditions has it. */
  readonly isVisible: boolean;
  readonly isOf: (context: Context, document: DocumentRow) => boolean;
  /** Whether the programs that make it are there: lists have it only then, and without them it is 501. */
  readonly isReady?: (context: Context, document: DocumentRow) => boolean;
  readonly make: (context: Context, document: DocumentRow) => Promise<BlobShape>;
}
