import { isDeepStrictEqual } from 'node:util';
import { Faults, Invalid, Unprocessable } from '../../errors.ts';
import { isTurnOver, yieldToEventLoop, yieldWhenOver } from '../../event-loop.ts';
import { createAccess } from '../../loaders/acls/access.ts';
import { membershipIds } from '../../loaders/collections/membership-ids.ts';
import { entryKey, findEntries } from '../../loaders/directories/index.ts';
import type { EntryKey } from '../../loaders/directories/source.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { ReferenceTarget } from '../../model/definitions.ts';
import type { Language } from '../../model/labels.ts';
import { type MembershipProperty, membershipProperties } from '../../model/memberships.ts';
import type { Property, Schema } from '../../model/model.ts';
import { checkValue, Findings } from '../../model/values/constraints.ts';
import {
  forEachBlob,
  nothingPending,
  type Pending,
  type PendingEntry,
  readValue,
} from '../../model/values/read-value.ts';
import { referencedId } from '../../model/values/references.ts';
import { isUnset, type StoredProperties, type StoredValue } from '../../model/values/stored.ts';
import { resolveXpathIn, valueAtLocation } from '../../model/values/value-location.ts';
import type { Using, ValueScope } from '../../scope.ts';
import { resolveBlobs, resolveTexts } from '../blobs/blob-values.ts';
import { putHierarchicalValues } from '../directories/hierarchical-values.ts';

const versionProperties: readonly string[] = ['uid:major_version', 'uid:minor_version'];

/** Properties that are changed only by versioning and by operations on collections, never by a request body. */
export const serverProperties: readonly string[] = [...versionProperties, ...membershipProperties];

/**
 * Checks a version number in a request body. In a change, it must equal the stored number, which only versioning
 * changes. For a new document, it has no effect, so that the response to a GET of another document can be sent as the
 * body (§11).
 */
function requireVersion({ current, faults }: Reading, xpath: string, json: unknown): void {
  const stored = xpath === 'uid:major_version' ? current?.majorVersion : current?.minorVersion;
  const isValid = current
    ? json === stored
    : json === null || (Number.isSafeInteger(json) && Number(json) >= 0);
  if (isValid) return;
  faults.add(() => {
    const got = JSON.stringify(json).slice(0, 80);
    return current
      ? `${xpath}: expected ${stored}, got ${got}. Only versioning changes this property.`
      : `${xpath}: expected an integer of at least 0, got ${got}`;
  });
}

const isMembership = (xpath: string): xpath is MembershipProperty =>
  membershipProperties.some((name) => name === xpath);

// A request body can only repeat the collection memberships that the caller can see, because only collection operations
// change memberships. Memberships that the caller cannot see are left unchanged.
async function requireMemberships(
  scope: ValueScope,
  xpath: MembershipProperty,
  { value, current }: { value: StoredValue | undefined; current: DocumentRow | undefined },
): Promise<void> {
  const ids = current ? await membershipIds(scope, createAccess(scope))(xpath, current.id) : [];
  if (!isDeepStrictEqual(value ?? [], ids)) {
    throw new Invalid(
      `${xpath}: This property can only be changed by adding documents to a collection or removing them from it.`,
    );
  }
}

/**
 * Replaces directory-entry entities in a request body with the values that the document has stored for them, such as
 * `art/dance`, so that an entity can be sent back as it was read, even if its entry has since been moved or deleted.
 * @returns the entries that the document does not have at this position
 */
function putStoredPaths(
  entries: readonly PendingEntry[],
  stored: StoredValue | undefined,
  to: ReferenceTarget,
): PendingEntry[] {
  const values = Array.isArray(stored) ? stored : [stored];
  const texts = values.filter((value) => typeof value === 'string');
  const byId = new Map(texts.toReversed().map((value) => [referencedId(to, value), value]));
  return entries.filter(({ id, xpath, put }) => {
    const here = values[Number(xpath.slice(xpath.lastIndexOf('/') + 1))];
    const value = typeof here === 'string' && referencedId(to, here) === id ? here : byId.get(id);
    if (value !== undefined) put(value);
    return value === undefined;
  });
}

/** The inputs and results of reading the properties in a request body. */
interface Reading {
  readonly schemas: readonly Schema[];
  readonly current: DocumentRow | undefined;
  readonly values: StoredProperties;
  readonly pending: Pending;
  readonly faults: Faults;
  /**
   * Maps the xpath of each membership property in the body, and of each value inside one, to the membership property.
   */
  readonly memberships: Map<string, MembershipProperty>;
}

function readProperty(reading: Reading, xpath: string, json: unknown): void {
  const { schemas, current, values, pending, faults, memberships } = reading;
  const place = resolveXpathIn(schemas, xpath);
  if (!place) {
    faults.add(() => `unknown property: ${xpath}`);
    return;
  }
  if (versionProperties.includes(xpath)) {
    requireVersion(reading, xpath, json);
    return;
  }
  const put = (stored: StoredValue) => {
    values[xpath] = stored;
  };
  const { topProperty, property } = place;
  const read: Pending = { ...nothingPending(), texts: pending.texts ?? [] };
  readValue(property, json, put, { pending: read, faults });
  if (isMembership(topProperty.xpath)) memberships.set(xpath, topProperty.xpath);
  for (const blob of read.blobs) pending.blobs.push(blob);
  const stored = current && valueAtLocation(place, current.properties);
  const { refersTo } = property;
  const entries = refersTo ? putStoredPaths(read.entries, stored, refersTo) : read.entries;
  for (const entry of entries) pending.entries.push(entry);
}

/**
 * Reads the properties in a request body. Their xpaths can point inside a property; `null` clears a property.
 * @param current the document to change; absent for a new one
 * @throws Invalid with the name of each unknown property and of each value of the wrong type
 */
export async function readProperties(
  scope: ValueScope,
  schemas: readonly Schema[],
  json: Record<string, unknown>,
  current?: DocumentRow,
): Promise<StoredProperties> {
  const reading: Reading = {
    schemas,
    current,
    values: {},
    pending: { ...nothingPending(), texts: [] },
    faults: new Faults(),
    memberships: new Map(),
  };
  const { values, pending, faults, memberships } = reading;
  for (const xpath of Object.keys(json)) {
    if (isTurnOver()) await yieldToEventLoop();
    readProperty(reading, xpath, json[xpath]);
  }
  faults.requireNone();
  for (const [xpath, top] of memberships) {
    await requireMemberships(scope, top, { value: values[xpath], current });
    delete values[xpath];
  }
  await putHierarchicalValues(scope, pending.entries);
  if (pending.blobs.length > 0) await resolveBlobs(scope, pending.blobs, current);
  if (pending.texts?.length) await resolveTexts(scope, pending.texts);
  return values;
}

type Checking = Pick<ValueScope, 'db' | 'options'> & Using<'secrets'>;

/** Properties to be validated against the constraints of the model. */
interface ToCheck {
  readonly schemas: readonly Schema[];
  readonly properties: StoredProperties;
  /**
   * The properties before a change. They are needed because a value that does not change is accepted even if it
   * violates a constraint (§8).
   */
  readonly stored?: StoredProperties | undefined;
  /**
   * The properties to check. When absent, all properties of the schemas are checked, including missing required ones.
   */
  readonly xpaths?: readonly string[] | undefined;
  /**
   * The directory entry to which the properties belong; later property sets in the same call can refer to this entry.
   */
  readonly makes?: EntryKey | undefined;
}

function findingsOf(language: Language, { schemas, properties, stored, xpaths }: ToCheck): Findings {
  const findings = new Findings(language);
  const checked = xpaths && new Set(xpaths);
  for (const schema of schemas) {
    for (const property of schema.properties.values()) {
      if (!checked || checked.has(property.xpath))
        checkValue(property, properties[property.xpath], findings, stored?.[property.xpath]);
    }
  }
  return findings;
}

/**
 * Validates any number of property sets. One statement looks up all directory entries that they refer to.
 * @throws Unprocessable with up to 100 violations in the first invalid set, along with their total number
 */
export async function checkPropertySets(scope: Checking, all: readonly ToCheck[]): Promise<void> {
  const found: Array<{ readonly findings: Findings; readonly makes: EntryKey | undefined }> = [];
  for (const each of all) {
    await yieldWhenOver();
    found.push({ findings: findingsOf(scope.options.language, each), makes: each.makes });
  }
  await yieldWhenOver();
  const named = found.flatMap(({ findings }) => findings.references);
  const known = new Set(named.length > 0 ? (await findEntries(scope, named)).map(entryKey) : []);
  for (const { findings, makes } of found) {
    for (const reference of findings.references) {
      if (isTurnOver()) await yieldToEventLoop();
      if (!known.has(entryKey(reference))) findings.addMissing(reference);
    }
    if (findings.count > 0) throw new Unprocessable(findings.violations, findings.count);
    if (makes) known.add(entryKey(makes));
  }
}

/**
 * Validates a single property set.
 * @throws Unprocessable with its violations
 */
export const checkProperties = (
  scope: Checking,
  schemas: readonly Schema[],
  properties: StoredProperties,
  { xpaths, stored }: Pick<ToCheck, 'xpaths' | 'stored'> = {},
): Promise<void> => checkPropertySets(scope, [{ schemas, properties, xpaths, stored }]);

/** Removes unset properties, because these are not stored. */
export const withoutUnset = (properties: StoredProperties): StoredProperties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => !isUnset(value)));

const canHaveBlobs = ({ type, fields }: Property): boolean =>
  type === 'blob' || [...fields.values()].some(canHaveBlobs);

// Cached by list of schemas, because each document type has only one such list.
const withBlobs = new WeakMap<readonly Schema[], readonly Property[]>();

function blobProperties(schemas: readonly Schema[]): readonly Property[] {
  const known = withBlobs.get(schemas);
  if (known) return known;
  const found = schemas.flatMap(({ properties }) => [...properties.values()].filter(canHaveBlobs));
  withBlobs.set(schemas, found);
  return found;
}

/** The rows of `document_blob` for the blobs within a document's properties. */
export function blobRows(
  { repository, id, properties }: Pick<DocumentRow, 'repository' | 'id' | 'properties'>,
  schemas: readonly Schema[],
): Array<{ repository: string; documentId: string; xpath: string; digest: string }> {
  const rows: ReturnType<typeof blobRows> = [];
  for (const property of blobProperties(schemas)) {
    forEachBlob(property, properties[property.xpath], (xpath, { digest }) => {
      rows.push({ repository, documentId: id, xpath, digest });
    });
  }
  return rows;
}
