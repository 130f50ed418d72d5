import { NIL } from 'uuid';

/** Where a document is in the order of all: by repository and id. */
export interface DocumentPlace {
  readonly repository: string;
  readonly id: string;
}

export const beforeAllDocuments: DocumentPlace = { repository: '', id: NIL };
