import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { facetsOf } from '../../model/facets-of.ts';
import type { Schema } from '../../model/model.ts';
import { isUnset, type StoredProperties, type StoredValue } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import type { Principal } from '../../security/principal.ts';

/** Properties that the server maintains; only administrators may set them (§2.1). */
const kept = ['dc:created', 'dc:creator', 'dc:modified', 'dc:contributors', 'dc:lastContributor'];

/** False for the server's own documents, which have no creator and no contributors. */
export const isTracked = (schemas: readonly Schema[], facets: readonly string[]): boolean =>
  schemas.some(({ name }) => name === 'dublincore') && !facets.includes('SystemDocument');

const contributors = (value: StoredValue | undefined): StoredValue[] => (Array.isArray(value) ? value : []);

export const isServerMaintained = (xpath: string): boolean => kept.includes(xpath);

/** @throws Invalid when a user who is no administrator sets such a property. */
export function requireNotReadOnly(user: Principal, changed: StoredProperties): void {
  const xpath = kept.find((name) => Object.hasOwn(changed, name));
  if (xpath !== undefined && !user.isAdministrator) {
    throw new Invalid(`Cannot set the value of property: ${xpath} since it is readonly`);
  }
}

/** Properties that the server sets on creation; given ones (of administrators) win. */
export function creationProperties(user: Principal, now: string, given: StoredProperties): StoredProperties {
  return {
    'dc:created': now,
    'dc:modified': now,
    'dc:creator': user.id,
    ...given,
    ...contribution(user, given),
  };
}

export function modificationProperties(
  user: Principal,
  now: string,
  before: StoredProperties,
  changed: StoredProperties,
): StoredProperties {
  return { 'dc:modified': now, ...changed, ...contribution(user, { ...before, ...changed }, changed) };
}

/** For changes that are not of properties, such as a new facet. */
export function withModification({ services: { model }, user }: Scope, row: DocumentRow): DocumentRow {
  const written = isTracked(model.schemasOf(row.type, row.facets), facetsOf(model, row))
    ? modificationProperties(user, new Date().toISOString(), row.properties, {})
    : {};
  return { ...row, properties: { ...row.properties, ...written }, userToken: row.userToken + 1 };
}

/** The caller becomes the last contributor unless the request names another one. */
function contribution(user: Principal, all: StoredProperties, given = all): StoredProperties {
  const others = contributors(all['dc:contributors']);
  return {
    'dc:contributors': others.includes(user.id) ? others : [...others, user.id],
    'dc:lastContributor': given['dc:lastContributor'] ?? user.id,
  };
}

/** Null and empty equal unset. */
export function differingProperties(before: StoredProperties, given: StoredProperties): StoredProperties {
  return Object.fromEntries(
    Object.entries(given).filter(([xpath, value]) => {
      const stored = before[xpath];
      return isUnset(value) ? !isUnset(stored) : !isDeepStrictEqual(value, stored);
    }),
  );
}
