import { NIL } from 'uuid';

/** The key of a document, by which all documents are ordered. */
export interface DocumentPlace {
  readonly repository: string;
  readonly id: string;
}

/** A key that sorts before the keys of all documents; iterations over all documents start here. */
export const beforeAllDocuments: DocumentPlace = { repository: '', id: NIL };

/** Places as two parameters of a statement, for `unnest`. */
export const keysOf = (places: readonly DocumentPlace[]): [repositories: string[], ids: string[]] => [
  places.map(({ repository }) => repository),
  places.map(({ id }) => id),
];
