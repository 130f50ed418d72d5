import type { LogEntryRow } from '../loaders/audit/log-entries.ts';
import type { AuthorityRow } from '../loaders/authorities/authorities.ts';
import type { BlobWithDocument } from '../loaders/blobs/blob-with-document.ts';
import type { DocumentListShape, DocumentRow } from '../loaders/documents/document-row.ts';
import type { PageShape } from '../loaders/lists/page.ts';
import type { DocumentsPage } from '../loaders/search/documents-page.ts';
import type { SearchRecord } from '../loaders/search/records.ts';
import type { DocumentReference } from '../model/document-reference.ts';
import type { StoredBlob } from '../model/values/stored.ts';
import type { UserJson } from '../store/authorities/users.ts';

/** The value type for each kind of input. */
export interface Inputs {
  void: null;
  document: DocumentReference;
  documents: readonly DocumentReference[];
  string: string;
  /** A user, as described by the client. */
  user: UserJson;
  /** Blobs whose bytes were sent with the call and are in the blob store. */
  bloblist: readonly StoredBlob[];
}

/** The value type for each kind of output. */
export interface Outputs {
  void: null;
  document: DocumentRow;
  documents: DocumentListShape;
  page: DocumentsPage;
  blob: BlobWithDocument;
  bloblist: readonly BlobWithDocument[];
  user: AuthorityRow;
  recordSet: PageShape<SearchRecord>;
  logEntries: PageShape<LogEntryRow>;
  /** JSON that is sent unchanged, without an enclosing entity. */
  json: unknown;
  string: string;
  boolean: boolean;
  number: number;
  date: string;
  list: readonly unknown[];
  map: Readonly<Record<string, unknown>>;
  object: OperationOutcome;
}

export type InputKind = keyof Inputs;
export type OutputKind = Exclude<keyof Outputs, 'object'>;

/** The output of an operation. */
export interface OperationOutcome {
  readonly kind: OutputKind;
  readonly value: unknown;
}
