import type { Inside } from '../../enrichers/enricher.ts';
import { enrichers } from '../../enrichers/index.ts';
import { fetchable } from '../../fetch/index.ts';
import type { Path } from '../../model/references.ts';
import { call, entityType, Field, merge, putAll, type Selection, whenSet } from '../../selection.ts';
import type { Shape } from '../headers.ts';
import { contextParameters } from './context-parameters.ts';
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
  proxyTargetId: whenSet,
  versionableId: whenSet,
  changeToken: true,
  isTrashed: true,
  title: true,
  versionLabel: new Field({ arguments: { ofVersionsAlone: true }, show: whenSet.show }),
  isLatestVersion: whenSet,
  isLatestMajorVersion: whenSet,
  lastModified: whenSet,
};

const lists: Selection = { facets: true, schemas: { name: true, prefix: true } };

/** A document deeper than `depth`. */
export const plainDocument: Selection = { ...documentFields, ...lists };

/** What is shown in the properties of a document where ids stand that fetch properties name (§10.1). */
const inProperties: Field['join'] = (shown, value) => {
  const found = value as ReadonlyArray<{ at: Path } & Record<string, unknown>>;
  putAll(
    shown,
    found.map(({ at, user, directoryEntry, document }) => [
      ['properties', ...at],
      user ?? directoryEntry ?? document,
    ]),
  );
};

/** The properties of the schemas that are wanted, and what the ids stand for that are to be fetched. */
function propertiesOf({ properties: schemas }: Shape, fetch: readonly string[], inside: Inside): Selection {
  const shown = schemas ? { schemas } : {};
  if (fetch.length === 0) return { properties: schemas ? call(shown) : true };
  const { user, directoryEntry, document, most } = inside;
  const of = { at: true, user, directoryEntry, document } as const;
  return {
    properties: call({ ...shown, fetch }),
    references: new Field({
      arguments: { ...shown, fetch, most },
      of,
      join: inProperties,
      at: ['properties', '*'],
    }),
  };
}

/** §2.1: a document, with the properties of the schemas that are wanted, fetch properties and enrichers. */
export function documentOf(shape: Shape, inside: Inside): Selection {
  const names = shape.fetch.document ?? [];
  const isProperty = (name: string) =>
    ![fetchable.document, fetchable.acls].some((own) => Object.hasOwn(own, name));
  return {
    ...merge(documentFields, ...names.map((name) => fetchable.document[name] ?? {})),
    ...propertiesOf(shape, names.filter(isProperty), inside),
    ...lists,
    ...contextParameters(enrichers.document, shape.enrichers.document, inside),
  };
}

/** The same numbers under older names, which only pages of documents have. */
const olderNames: Selection = { totalSize: true, pageIndex: true, pageCount: true };

/** A document, and a page of documents. */
export const documentEntities = (document: Selection, listed: Selection) =>
  ({ document, documents: { ...page, ...olderNames, entries: listed } }) satisfies Record<string, Selection>;
