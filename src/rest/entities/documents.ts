import { call, entityType, type Selection, whenSet } from '../../selection.ts';
import type { Shape } from '../headers.ts';
import { page } from './page.ts';

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
const documentOf = ({ properties }: Shape): Selection => ({
  ...documentFields,
  properties: properties ? call({ schemas: properties }) : true,
  ...lists,
});

/** The same numbers under older names, which only pages of documents have. */
const olderNames: Selection = { totalSize: true, pageIndex: true, pageCount: true };

/** A document, and a page of documents, under a request's headers. */
export const documentEntities = (shape: Shape) => {
  const document = documentOf(shape);
  return { document, documents: { ...page, ...olderNames, entries: document } } satisfies Record<
    string,
    Selection
  >;
};
