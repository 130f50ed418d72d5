import { NIL } from 'uuid';

/** The key of a document, by which all documents are ordered. */
export interface DocumentPlace {
  readonly repository: string;
  readonly id: string;
}

/** A key before those of all documents, where a walk through them starts. */
export const beforeAllDocuments: DocumentPlace = { repository: '', id: NIL };
