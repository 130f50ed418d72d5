import { call, entityType, Field, type Selection, whenSet } from '../selection.ts';
import type { Shape } from './headers.ts';

/** What the answer to a shape is made of: each entity's selection under the request's headers. */
export interface Entities {
  readonly document: Selection;
  readonly documents: Selection;
  readonly schema: Selection;
  readonly schemas: Selection;
  readonly facet: Selection;
  readonly facets: Selection;
  readonly docType: Selection;
  readonly docTypes: Selection;
}

/** §2.1: the fields that every answer with a document has. */
const documentFields: Selection = {
  'entity-type': entityType,
  repository: true,
  uid: true,
  name: true,
  path: true,
  type: true,
  state: true,
  parentRef: true,
  isCheckedOut: true,
  isRecord: true,
  retainUntil: true,
  hasLegalHold: true,
  isUnderRetentionOrLegalHold: true,
  isVersion: true,
  isProxy: true,
  changeToken: true,
  isTrashed: true,
  title: true,
  lastModified: whenSet,
};

const lists: Selection = { facets: true, schemas: { name: true, prefix: true } };

/** Every document of an answer: the fixed fields, and the properties of the schemas that are wanted. */
const document = ({ properties }: Shape): Selection => ({
  ...documentFields,
  properties: properties ? call({ schemas: properties }) : true,
  ...lists,
});

/** The envelope of a paged list, in the order clients know it. */
const page: Selection = {
  'entity-type': entityType,
  isPaginable: true,
  resultsCount: true,
  pageSize: true,
  maxPageSize: true,
  resultsCountLimit: true,
  currentPageSize: true,
  currentPageIndex: true,
  currentPageOffset: true,
  numberOfPages: true,
  isPreviousPageAvailable: true,
  isNextPageAvailable: true,
  isLastPageAvailable: true,
  isSortable: true,
  hasError: true,
  errorMessage: true,
  totalSize: true,
  pageIndex: true,
  pageCount: true,
};

/** §2.6: both spellings of the prefix, left out where a schema has none. */
const schema: Selection = {
  'entity-type': entityType,
  name: true,
  prefix: whenSet,
  '@prefix': new Field({ ...whenSet, name: 'prefix' }),
  fields: true,
};

const facet: Selection = { 'entity-type': entityType, name: true, schemas: schema };

/** In the collection a facet without schemas says nothing of them. */
const listedFacet: Selection = {
  ...facet,
  schemas: new Field({ of: schema, show: (list) => ((list as unknown[]).length > 0 ? list : undefined) }),
};

const docType: Selection = {
  'entity-type': entityType,
  name: true,
  parent: true,
  facets: true,
  schemas: schema,
};

/** §4.6: what the model holds is the same for every request. */
const config: Omit<Entities, 'document' | 'documents'> = {
  schema,
  schemas: { 'entity-type': entityType, entries: schema },
  facet,
  facets: { 'entity-type': entityType, entries: listedFacet },
  docType,
  docTypes: { 'entity-type': entityType, doctypes: true, schemas: true, entries: docType },
};

export function entitiesOf(shape: Shape): Entities {
  const entry = document(shape);
  return { ...config, document: entry, documents: { ...page, entries: entry } };
}
