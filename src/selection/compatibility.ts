import { type Arguments, entityType, Field, type Selection, type SelectionNode } from './selection.ts';

const row = <Form>(contract: Form, reference: Form) => ({ contract, reference });

/**
 * The two forms of each response for which the contract (docs/contract.md) and the reference implementation contradict
 * each other. The setting COMPATIBILITY selects one column of this table for the whole server, and affects nothing
 * else.
 */
export const compatibility = {
  /** The form of `contextParameters.favorites`. */
  favorites: row<SelectionNode>(true, new Field({ format: (isFavorite) => ({ isFavorite }) })),
  /**
   * The documents in `contextParameters.breadcrumb`: all ancestors, or the document itself and its ancestors except the
   * root.
   */
  breadcrumb: row<Arguments>({}, { withRoot: false, withItself: true }),
  /** §10.1: whether fetching a property with a single value, such as `dc:coverage`, returns a list with one entity. */
  isSingleFetchedAsList: row(true, false),
  /** The form of the lists at `/config/schemas` and `/config/facets`: an entity with entries, or a bare array. */
  definitions: row<(entries: Selection) => SelectionNode>(
    (entries) => ({ 'entity-type': entityType, entries }),
    (entries) => new Field({ of: { entries }, format: (list) => (list as { entries: unknown }).entries }),
  ),
  /** The form of a schema in the list at `/config/schemas`. */
  definedSchema: row<(schema: Selection) => Selection>(
    (schema) => schema,
    ({ name = true, '@prefix': prefix = true, fields = true }) => ({ name, '@prefix': prefix, fields }),
  ),
  /** The form of a facet in the list at `/config/facets`. */
  definedFacet: row<(facet: Selection) => Selection>(
    (facet) => facet,
    ({ 'entity-type': _, ...facet }) => facet,
  ),
  /** Whether `isNextPageAvailable` of a list of children is true for every full page. */
  isNextPageAvailable: row<SelectionNode>(true, new Field({ arguments: { afterFullPage: true } })),
  /**
   * Whether a chunk that is uploaded again (`POST /upload/BATCH/FILE`) replaces the earlier one or is rejected with
   * 409.
   */
  chunk: row<Arguments>({}, { replacesChunk: false }),
  /** The value of `note:mime_type` for notes created from Markdown files. */
  markdownType: row<'text/markdown' | 'text/x-web-markdown'>('text/markdown', 'text/x-web-markdown'),
  /** Whether `GET /directory` without `types` lists system directories. */
  directories: row<Arguments>({}, { withSystem: false }),
};

type Table = typeof compatibility;
type Compatibility = keyof Table['favorites'];
export type Forms = { readonly [Name in keyof Table]: Table[Name]['contract'] };

/** The forms in one column of the table. */
export const formsOf = (column: Compatibility): Forms =>
  Object.fromEntries(Object.entries(compatibility).map(([name, forms]) => [name, forms[column]])) as Forms;

export const contractForms = formsOf('contract');
