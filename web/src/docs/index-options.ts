import type { Options } from 'minisearch';

/** An entry of the search over the documents and the REST interface. */
export interface Found {
  /** Relative to the page's base. */
  readonly address: string;
  readonly title: string;
  /** The title of what it is a part of. */
  readonly of: string;
  readonly text: string;
  /** The first characters of the text. */
  readonly start: string;
}

/** The same where the index is made, and where it is read. */
export const indexOptions: Options<Found> = {
  idField: 'address',
  fields: ['title', 'text', 'of'],
  storeFields: ['title', 'of', 'start'],
  searchOptions: { boost: { title: 3 }, prefix: true, combineWith: 'AND' },
};
