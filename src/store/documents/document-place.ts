import { NIL } from 'uuid';

/** The primary key of a document. Iterations over all documents follow its order. */
export interface DocumentPlace {
  readonly repository: string;
  readonly id: string;
}

/** A key that sorts before the keys of all documents. Iterations over all documents start with it. */
export const beforeAllDocuments: DocumentPlace = { repository: '', id: NIL };

/** Splits document keys into the two array parameters of a statement that uses `unnest`. */
export const keysOf = (places: readonly DocumentPlace[]): [repositories: string[], ids: string[]] => [
  places.map(({ repository }) => repository),
  places.map(({ id }) => id),
];
