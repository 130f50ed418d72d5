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

/** Those that versioning and the operations of collections change, and no body. */
export const servedProperties: readonly string[] = [...versionProperties, ...membershipProperties];

/**
 * Version numbers belong to the server: the body of a change may only repeat the stored ones, and those in the body of a
 * new document, which may be the answer to a GET of another one, have no effect (§11).
 */
function requireVersion({ current, faults }: Reading, xpath: string, json: unknown): void {
  const stored = xpath === 'uid:major_version' ? current?.majorVersion : current?.minorVersion;
  const isFit = current
    ? json === stored
    : json === null || (Number.isSafeInteger(json) && Number(json) >= 0);
  if (isFit) return;
  faults.add(() => {
    const given = JSON.stringify(json).slice(0, 80);
    return current
      ? `${xpath}: expected ${stored}, got ${given}: only versioning changes it`
      : `${xpath}: expected an integer from 0, got ${given}`;
  });
}

const isMembership = (xpath: string): xpath is MembershipProperty =>
  membershipProperties.some((name) => name === xpath);

// A body may only repeat the memberships that its caller can read: they change by collection operations
// alone. Unreadable memberships stay.
async function requireMemberships(
  scope: ValueScope,
  xpath: MembershipProperty,
  { given, current }: { given: StoredValue | undefined; current: DocumentRow | undefined },
): Promise<void> {
  const ids = current ? await membershipIds(scope, createAccess(scope))(xpath, current.id) : [];
  if (!isDeepStrictEqual(given ?? [], ids)) {
    throw new Invalid(`${xpath}: only adding to a collection, and removing from one, changes it`);
  }
}

/**
 * Puts the stored values of entities that a body sends back, such as `art/dance`, also when their entry has moved or was
 * deleted since.
 * @returns the entities that the document does not have at this place.
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

/** What the properties of a body are read into. */
interface Reading {
  readonly schemas: readonly Schema[];
  readonly current: DocumentRow | undefined;
  readonly given: StoredProperties;
  readonly pending: Pending;
  readonly faults: Faults;
  /** The properties that are memberships, with the whole one that each is, or is in. */
  readonly memberships: Map<string, MembershipProperty>;
}

function readProperty(reading: Reading, xpath: string, json: unknown): void {
  const { schemas, current, given, pending, faults, memberships } = reading;
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
    given[xpath] = stored;
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
 * Reads properties of a body by xpath, which may lead into a property; `null` clears.
 * @param current the changed document; absent on a create.
 * @throws Invalid naming each unknown property and each value of another type.
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
    given: {},
    pending: { ...nothingPending(), texts: [] },
    faults: new Faults(),
    memberships: new Map(),
  };
  const { given, pending, faults, memberships } = reading;
  for (const xpath of Object.keys(json)) {
    if (isTurnOver()) await yieldToEventLoop();
    readProperty(reading, xpath, json[xpath]);
  }
  faults.requireNone();
  for (const [xpath, top] of memberships) {
    await requireMemberships(scope, top, { given: given[xpath], current });
    delete given[xpath];
  }
  await putHierarchicalValues(scope, pending.entries);
  if (pending.blobs.length > 0) await resolveBlobs(scope, pending.blobs, current);
  if (pending.texts?.length) await resolveTexts(scope, pending.texts);
  return given;
}

type Checking = Pick<ValueScope, 'db' | 'options'> & Using<'secrets'>;

/** Properties to validate against the constraints of the model. */
interface ToCheck {
  readonly schemas: readonly Schema[];
  readonly properties: StoredProperties;
  /** What the properties were before a change: values that are not changed are accepted (§8). */
  readonly stored?: StoredProperties | undefined;
  /** The properties to check; all of the schemas when absent, which finds missing required ones. */
  readonly xpaths?: readonly string[] | undefined;
  /** The directory entry that they become: later sets of the same call may refer to it. */
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
 * Validates any number of property sets; one statement looks up all directory entries that they name.
 * @throws Unprocessable with the broken constraints of the first faulty set: 100 of them, and their count.
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

/** Validates one property set. @throws Unprocessable with its broken constraints. */
export const checkProperties = (
  scope: Checking,
  schemas: readonly Schema[],
  properties: StoredProperties,
  { xpaths, stored }: Pick<ToCheck, 'xpaths' | 'stored'> = {},
): Promise<void> => checkPropertySets(scope, [{ schemas, properties, xpaths, stored }]);

/** The column holds set properties only. */
export const withoutUnset = (properties: StoredProperties): StoredProperties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => !isUnset(value)));

const mayHaveBlobs = ({ type, fields }: Property): boolean =>
  type === 'blob' || [...fields.values()].some(mayHaveBlobs);

// The schemas of a type are always the same list.
const withBlobs = new WeakMap<readonly Schema[], readonly Property[]>();

function blobProperties(schemas: readonly Schema[]): readonly Property[] {
  const known = withBlobs.get(schemas);
  if (known) return known;
  const found = schemas.flatMap(({ properties }) => [...properties.values()].filter(mayHaveBlobs));
  withBlobs.set(schemas, found);
  return found;
}

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
