import type { Options } from 'minisearch';

/** An entry in the search index: a section of a page, or an operation of the REST API. */
export interface Found {
  /** The address, relative to the base URL of the site. */
  readonly address: string;
  readonly title: string;
  /** The title of the page that contains the entry. */
  readonly of: string;
  readonly text: string;
  /** The summary of an operation; empty for sections of pages. */
  readonly summary: string;
  /** The beginning of the text, which is shown in the search results. */
  readonly start: string;
}

/**
 * The options of MiniSearch. The build, which creates the index, and the page, which loads it, must use the same
 * options.
 */
export const indexOptions: Options<Found> = {
  idField: 'address',
  fields: ['title', 'summary', 'text', 'of'],
  storeFields: ['title', 'of', 'start'],
  searchOptions: { boost: { title: 3, summary: 4 }, prefix: true, combineWith: 'AND' },
};
