import { NIL } from 'uuid';

/** The key of a document, by which all documents are ordered. */
export interface DocumentPlace {
  readonly repository: string;
  readonly id: string;
}

/** A key that sorts before the keys of all documents; iterations over all documents start here. */
export const beforeAllDocuments: DocumentPlace = { repository: '', id: NIL };
