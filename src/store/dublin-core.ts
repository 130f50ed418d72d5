import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { Schema } from '../model/model.ts';
import { isUnset, type StoredProperties, type StoredValue } from '../model/stored.ts';
import type { Principal, Scope } from '../scope.ts';

/** Properties that the server keeps; only administrators may set them themselves (§2.1). */
const kept = ['dc:created', 'dc:creator', 'dc:modified', 'dc:contributors', 'dc:lastContributor'];

/** Whether the server keeps track of such documents: those it makes for itself stay as they are. */
export const isTracked = (schemas: readonly Schema[], facets: readonly string[]): boolean =>
  schemas.some(({ name }) => name === 'dublincore') && !facets.includes('SystemDocument');

const contributors = (value: StoredValue | undefined): StoredValue[] => (Array.isArray(value) ? value : []);

/** Whether the server keeps a property by itself. */
export const isKept = (xpath: string): boolean => kept.includes(xpath);

/** @throws Invalid when someone else than an administrator sets a property that the server keeps. */
export function requireMayWrite(user: Principal, changed: StoredProperties): void {
  const xpath = kept.find((name) => Object.hasOwn(changed, name));
  if (xpath !== undefined && !user.isAdministrator) {
    throw new Invalid(`Cannot set the value of property: ${xpath} since it is readonly`);
  }
}

/** What creating a document writes by itself, around what the request gave. */
export function whenCreated(user: Principal, now: string, given: StoredProperties): StoredProperties {
  return {
    'dc:created': now,
    'dc:modified': now,
    'dc:creator': user.id,
    ...given,
    ...contribution(user, given),
  };
}

/** What changing a document writes by itself; `changed` are the properties that the request changes. */
export function whenModified(
  user: Principal,
  now: string,
  before: StoredProperties,
  changed: StoredProperties,
): StoredProperties {
  return { 'dc:modified': now, ...changed, ...contribution(user, { ...before, ...changed }, changed) };
}

/** A document that the caller changes otherwise than by its properties, with what the server keeps of that. */
export function touched({ model, user }: Scope, row: DocumentRow): DocumentRow {
  const written = isTracked(model.schemasOf(row.type, row.facets), facetsOf(model, row))
    ? whenModified(user, new Date().toISOString(), row.properties, {})
    : {};
  return { ...row, properties: { ...row.properties, ...written }, userToken: row.userToken + 1 };
}

/** The caller as one of the contributors, and the last of them unless the request names another. */
function contribution(user: Principal, all: StoredProperties, given = all): StoredProperties {
  const others = contributors(all['dc:contributors']);
  return {
    'dc:contributors': others.includes(user.id) ? others : [...others, user.id],
    'dc:lastContributor': given['dc:lastContributor'] ?? user.id,
  };
}

/** The given properties that differ from the stored ones; null and empty are the same as unset. */
export function differing(before: StoredProperties, given: StoredProperties): StoredProperties {
  return Object.fromEntries(
    Object.entries(given).filter(([xpath, value]) => {
      const stored = before[xpath];
      return isUnset(value) ? !isUnset(stored) : !isDeepStrictEqual(value, stored);
    }),
  );
}
