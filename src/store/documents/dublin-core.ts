import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { facetsOf } from '../../model/facets-of.ts';
import type { Schema } from '../../model/model.ts';
import { isUnset, type StoredProperties, type StoredValue } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import type { Principal } from '../../security/principal.ts';

/** Properties that the server maintains; only administrators can set them (§2.1). */
const maintained = ['dc:created', 'dc:creator', 'dc:modified', 'dc:contributors', 'dc:lastContributor'];

/**
 * Whether the server maintains the Dublin Core properties of a document. Documents that the server uses internally have
 * no creator and no contributors.
 */
export const isTracked = (schemas: readonly Schema[], facets: readonly string[]): boolean =>
  schemas.some(({ name }) => name === 'dublincore') && !facets.includes('SystemDocument');

const contributors = (value: StoredValue | undefined): StoredValue[] => (Array.isArray(value) ? value : []);

export const isServerMaintained = (xpath: string): boolean => maintained.includes(xpath);

/**
 * Checks that the caller can set the changed properties.
 * @throws Invalid if a user who is not an administrator sets a property that the server maintains
 */
export function requireNotReadOnly(user: Principal, changed: StoredProperties): void {
  const xpath = maintained.find((name) => Object.hasOwn(changed, name));
  if (xpath !== undefined && !user.isAdministrator) {
    throw new Invalid(`Cannot set the value of property: ${xpath} since it is readonly`);
  }
}

/**
 * The properties that the server sets when a document is created. Values in the request, which only administrators can
 * send, take precedence.
 */
export function creationProperties(user: Principal, now: string, input: StoredProperties): StoredProperties {
  return {
    'dc:created': now,
    'dc:modified': now,
    'dc:creator': user.id,
    ...input,
    ...contribution(user, input),
  };
}

/** The properties that a change writes: the changed ones, along with those that the server sets on each change. */
export function modificationProperties(
  user: Principal,
  now: string,
  before: StoredProperties,
  changed: StoredProperties,
): StoredProperties {
  return { 'dc:modified': now, ...changed, ...contribution(user, { ...before, ...changed }, changed) };
}

/** Returns the row to write after a change that does not affect the properties, such as the addition of a facet. */
export function withModification({ services: { model }, user }: Scope, row: DocumentRow): DocumentRow {
  const written = isTracked(model.schemasOf(row.type, row.facets), facetsOf(model, row))
    ? modificationProperties(user, new Date().toISOString(), row.properties, {})
    : {};
  return { ...row, properties: { ...row.properties, ...written }, userToken: row.userToken + 1 };
}

/**
 * Adds the caller to the contributors, and makes the caller the last contributor unless the request names another one.
 */
function contribution(user: Principal, all: StoredProperties, input = all): StoredProperties {
  const others = contributors(all['dc:contributors']);
  return {
    'dc:contributors': others.includes(user.id) ? others : [...others, user.id],
    'dc:lastContributor': input['dc:lastContributor'] ?? user.id,
  };
}

/** The properties in the input that differ from the stored ones. Null and empty values count as unset. */
export function differingProperties(before: StoredProperties, input: StoredProperties): StoredProperties {
  return Object.fromEntries(
    Object.entries(input).filter(([xpath, value]) => {
      const stored = before[xpath];
      return isUnset(value) ? !isUnset(stored) : !isDeepStrictEqual(value, stored);
    }),
  );
}
