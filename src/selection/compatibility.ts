import { type Arguments, entityType, Field, type Selection, type SelectionNode } from './selection.ts';

const row = <Form>(contract: Form, reference: Form) => ({ contract, reference });

/**
 * Where the contract and the reference implementation contradict each other: both forms of an answer. The
 * setting COMPATIBILITY chooses one column for the whole server, and nothing else depends on it.
 */
export const compatibility = {
  /** `contextParameters.favorites` */
  favorites: row<SelectionNode>(true, new Field({ format: (isFavorite) => ({ isFavorite }) })),
  /** `contextParameters.breadcrumb`: all ancestors, or from below the root to the document itself. */
  breadcrumb: row<Arguments>({}, { withRoot: false, withItself: true }),
  /** §10.1: whether a single value such as `dc:coverage` is fetched as a list of one entity. */
  isSingleFetchedAsList: row(true, false),
  /** `/config/schemas`, `/config/facets`: a list of entities in an envelope, or the bare array. */
  definitions: row<(entries: Selection) => SelectionNode>(
    (entries) => ({ 'entity-type': entityType, entries }),
    (entries) => new Field({ of: { entries }, format: (list) => (list as { entries: unknown }).entries }),
  ),
  /** A schema in them. */
  definedSchema: row<(schema: Selection) => Selection>(
    (schema) => schema,
    ({ name = true, '@prefix': prefix = true, fields = true }) => ({ name, '@prefix': prefix, fields }),
  ),
  /** A facet in `/config/facets`. */
  definedFacet: row<(facet: Selection) => Selection>(
    (facet) => facet,
    ({ 'entity-type': _, ...facet }) => facet,
  ),
  /** Of lists of children: whether a full page always counts as one with a next. */
  isNextPageAvailable: row<SelectionNode>(true, new Field({ arguments: { afterFullPage: true } })),
  /** `POST /upload/BATCH/FILE`: whether a chunk that comes again replaces the first, or is 409. */
  chunk: row<Arguments>({}, { replacesChunk: false }),
  /** `note:mime_type` of notes that are made of Markdown files. */
  markdownType: row<'text/markdown' | 'text/x-web-markdown'>('text/markdown', 'text/x-web-markdown'),
  /** `GET /directory` without `types` */
  directories: row<Arguments>({}, { withSystem: false }),
};

type Table = typeof compatibility;
type Compatibility = keyof Table['favorites'];
export type Forms = { readonly [Name in keyof Table]: Table[Name]['contract'] };

/** The forms of a column. */
export const formsOf = (column: Compatibility): Forms =>
  Object.fromEntries(Object.entries(compatibility).map(([name, forms]) => [name, forms[column]])) as Forms;

export const contractForms = formsOf('contract');
