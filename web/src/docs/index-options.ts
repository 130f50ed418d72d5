import type { Options } from 'minisearch';

/** An entry of the search index: a section of a page, or an operation of the REST interface. */
export interface Found {
  /** The address, relative to the base of the page. */
  readonly address: string;
  readonly title: string;
  /** The title of the page that contains the entry. */
  readonly of: string;
  readonly text: string;
  /** The first characters of the text, which the results show. */
  readonly start: string;
}

/** The options of MiniSearch, which must be the same when the build makes the index and when the page loads it. */
export const indexOptions: Options<Found> = {
  idField: 'address',
  fields: ['title', 'text', 'of'],
  storeFields: ['title', 'of', 'start'],
  searchOptions: { boost: { title: 3 }, prefix: true, combineWith: 'AND' },
};
