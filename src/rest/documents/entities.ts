import type { EnricherSelections } from '../../enrichers/enricher.ts';
import { enrichers } from '../../enrichers/index.ts';
import type { ValuePath } from '../../model/values/references.ts';
import type { Forms } from '../../selection/compatibility.ts';
import {
  call,
  entityType,
  Field,
  mergeSelections,
  omitIfNull,
  type Selection,
  setAtPaths,
} from '../../selection/selection.ts';
import { pageOfFoundSelection } from '../answer/page.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';
import { contextParameters } from './context-parameters.ts';

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
  isFlexibleRecord: omitIfNull,
  retainedProperties: omitIfNull,
  isVersion: true,
  isProxy: true,
  proxyTargetId: omitIfNull,
  versionableId: omitIfNull,
  changeToken: true,
  isTrashed: true,
  title: true,
  workflowModelName: omitIfNull,
  versionLabel: new Field({ arguments: { ofVersionsAlone: true }, format: omitIfNull.format }),
  isLatestVersion: omitIfNull,
  isLatestMajorVersion: omitIfNull,
  lastModified: omitIfNull,
};

const lists: Selection = { facets: true, schemas: { name: true, prefix: true } };

export const plainDocument: Selection = { ...documentFields, ...lists };

/**
 * Returns the path at which a resolved reference is inserted. `at` points to an item of a list; if the value is a
 * single id instead of a list, the entity replaces this id.
 */
const placeOf = (shown: unknown, at: ValuePath): ValuePath => {
  const holder = at.slice(0, -1);
  const held = holder.reduce(
    (value, key) => (value as Record<string | number, unknown> | null)?.[key],
    shown,
  );
  return typeof held === 'string' ? holder : at;
};

/**
 * Replaces the ids in properties with the entities that fetch properties have resolved (§10.1). Ids that have not been
 * resolved remain unchanged.
 */
const inProperties: Field['assign'] = (shown, value) => {
  const found = value as ReadonlyArray<{ at: ValuePath } & Record<string, unknown>>;
  setAtPaths(
    shown,
    found.flatMap(({ at, user, directoryEntry, document, value }) => {
      const entity = user ?? directoryEntry ?? document ?? value;
      return entity ? [[['properties', ...placeOf(shown.properties, at)], entity] as const] : [];
    }),
  );
};

function propertiesOf(
  { properties: schemas, enrichers: { blob: blobs } }: ResponseShape,
  fetch: readonly string[],
  inside: EnricherSelections,
): Selection {
  const chosen = schemas ? { schemas } : {};
  const shown = { ...chosen, ...(blobs?.length && { blobs }) };
  if (fetch.length === 0) return { properties: Object.keys(shown).length > 0 ? call(shown) : true };
  const { user, directoryEntry, document, maxDocuments, forms } = inside;
  const of = { at: true, user, directoryEntry, document, value: true } as const;
  return {
    properties: forms.isSingleFetchedAsList ? call({ ...shown, fetch }) : call(shown),
    references: new Field({
      arguments: { ...chosen, fetch, most: maxDocuments },
      of,
      assign: inProperties,
      targetPath: ['properties', '*'],
    }),
  };
}

/** A document with the requested properties, resolved references and enrichers (§2.1). */
export function documentSelection(shape: ResponseShape, inside: EnricherSelections): Selection {
  const names = shape.fetch.document ?? [];
  const isProperty = (name: string) =>
    ![fetchProperties.document, fetchProperties.acls].some((own) => Object.hasOwn(own, name));
  return {
    ...mergeSelections(documentFields, ...names.map((name) => fetchProperties.document[name] ?? {})),
    ...propertiesOf(shape, names.filter(isProperty), inside),
    ...lists,
    ...contextParameters(enrichers.document, shape.enrichers.document, { inside, anyField: 'uid' }),
  };
}

const olderNames: Selection = { totalSize: true, pageIndex: true, pageCount: true };

export const documentEntities = (
  document: Selection,
  listedDocument: Selection,
  { isNextPageAvailable }: Pick<Forms, 'isNextPageAvailable'>,
) =>
  ({
    document,
    documents: { ...pageOfFoundSelection, isNextPageAvailable, ...olderNames, entries: listedDocument },
  }) satisfies Record<string, Selection>;
