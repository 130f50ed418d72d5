import { isDeepStrictEqual } from 'node:util';
import { entryKey, findEntries } from '../directories/index.ts';
import type { EntryKey } from '../directories/source.ts';
import { Invalid, Unprocessable } from '../errors.ts';
import { createAccess } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { membershipIds } from '../loaders/membership-ids.ts';
import { check, type Findings } from '../model/constraints.ts';
import { type MembershipProperty, membershipProperties } from '../model/memberships.ts';
import type { Schema } from '../model/model.ts';
import { eachBlob, type PendingBlob, readValue } from '../model/read-value.ts';
import { isUnset, type StoredProperties, type StoredValue } from '../model/stored.ts';
import { placeIn, storedAt } from '../model/value-at.ts';
import type { Scope } from '../scope.ts';
import { resolveBlobs } from './blob-values.ts';

/** The label's numbers are the server's alone: whoever sends them must send those that are stored (§11). */
function requireVersion(xpath: string, json: unknown, current: Versions | undefined): void {
  const { majorVersion, minorVersion } = current ?? { majorVersion: 0, minorVersion: 0 };
  const stored = xpath === 'uid:major_version' ? majorVersion : minorVersion;
  const isUnset = json === null && !current; // of a new document it says nothing, of another one it would clear
  if (json !== stored && !isUnset) {
    throw new Invalid(`${xpath}: is ${stored}, and only versioning changes it`);
  }
}

const isMembership = (xpath: string): xpath is MembershipProperty =>
  membershipProperties.some((name) => name === xpath);

/**
 * Whoever sends memberships must send those that he is shown: they change by adding to a collection alone. Those that he
 * is not shown stay, too.
 */
async function requireMemberships(
  scope: Scope,
  xpath: MembershipProperty,
  { given, current }: { given: StoredValue | undefined; current: DocumentRow | undefined },
): Promise<void> {
  const ids = current ? await membershipIds(scope, createAccess(scope))(xpath, current.id) : [];
  if (!isDeepStrictEqual(given ?? [], ids)) {
    throw new Invalid(`${xpath}: only adding to a collection, and removing from one, changes it`);
  }
}

type Versions = Pick<DocumentRow, 'majorVersion' | 'minorVersion'>;

const isEntity = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'entity-type' in json;

/** Hierarchical values sent back as entities, which are of the last segments alone, as they are stored. */
function withParents(
  stored: StoredValue | undefined,
  { json, given }: { json: unknown; given: StoredValue },
  separator: string,
): StoredValue {
  const [sent, known] = [[json].flat(), Array.isArray(stored) ? stored : [stored]];
  const whole = (id: StoredValue, index: number): StoredValue => {
    if (!isEntity(sent[index])) return id;
    const isSame = (value: StoredValue | undefined) =>
      value === id || (typeof value === 'string' && value.endsWith(`${separator}${String(id)}`));
    return (isSame(known[index]) ? known[index] : known.find(isSame)) ?? id;
  };
  return Array.isArray(given) ? given.map(whole) : whole(given, 0);
}

/**
 * Reads the properties of a body, by the xpaths that it has: also of places within a property; `null` clears.
 * @param current the document being changed; absent when it is being created.
 * @throws Invalid on a property that the schemas do not have, or a value of another type.
 */
export async function readProperties(
  scope: Scope,
  schemas: readonly Schema[],
  json: Record<string, unknown>,
  current?: DocumentRow,
): Promise<StoredProperties> {
  const given: StoredProperties = {};
  const pending: PendingBlob[] = [];
  for (const [xpath, value] of Object.entries(json)) {
    const place = placeIn(schemas, xpath);
    if (!place) throw new Invalid(`unknown property: ${xpath}`);
    if (xpath === 'uid:major_version' || xpath === 'uid:minor_version') {
      requireVersion(xpath, value, current);
      continue;
    }
    const put = (stored: StoredValue) => {
      given[xpath] = stored;
    };
    const { top, property } = place;
    readValue(property, value, put, pending);
    if (isMembership(top.xpath)) {
      await requireMemberships(scope, top.xpath, { given: given[xpath], current });
      delete given[xpath];
    }
    const separator = property.refersTo?.to === 'directory' ? property.refersTo.separator : undefined;
    if (separator) {
      const read = { json: value, given: given[xpath] ?? null };
      put(withParents(current && storedAt(place, current.properties), read, separator));
    }
  }
  if (pending.length > 0) await resolveBlobs(scope, pending, current);
  return given;
}

/** Properties that are held against the constraints of the model. */
interface ToCheck {
  readonly schemas: readonly Schema[];
  readonly properties: StoredProperties;
  /** Which to check; all of the schemas when absent, so that required ones are missed. */
  readonly xpaths?: readonly string[] | undefined;
  /** The entry that they make: those behind them may name it. */
  readonly makes?: EntryKey | undefined;
}

function findingsOf({ schemas, properties, xpaths }: ToCheck): Findings {
  const findings: Findings = { violations: [], references: [] };
  for (const schema of schemas) {
    for (const property of schema.properties.values()) {
      if (!xpaths || xpaths.includes(property.xpath)) check(property, properties[property.xpath], findings);
    }
  }
  return findings;
}

/**
 * Holds the properties of any number of things against the constraints of the model, one after the other; in one
 * statement for all entries that they name and the table keeps.
 * @throws Unprocessable naming every broken constraint of the first one that breaks any.
 */
export async function checkEach(scope: Scope, all: readonly ToCheck[]): Promise<void> {
  const found = all.map((each) => ({ ...findingsOf(each), makes: each.makes }));
  const named = found.flatMap(({ references }) => references);
  const known = new Set(named.length > 0 ? (await findEntries(scope, named)).map(entryKey) : []);
  for (const { violations, references, makes } of found) {
    const missing = references.filter((reference) => !known.has(entryKey(reference)));
    const broken = [...violations, ...missing.map(({ violation }) => violation)];
    if (broken.length > 0) throw new Unprocessable(broken);
    if (makes) known.add(entryKey(makes));
  }
}

/**
 * Holds properties against the constraints of the model.
 * @param xpaths which to check; all of the schemas when absent, so that required ones are missed.
 * @throws Unprocessable naming every broken constraint.
 */
export const checkProperties = (
  scope: Scope,
  schemas: readonly Schema[],
  properties: StoredProperties,
  xpaths?: readonly string[],
): Promise<void> => checkEach(scope, [{ schemas, properties, xpaths }]);

/** The properties without those that are unset: what the column holds. */
export const withoutUnset = (properties: StoredProperties): StoredProperties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => !isUnset(value)));

/** Every blob of a document as a row of `document_blob`. */
export function blobRows(
  { repository, id, properties }: Pick<DocumentRow, 'repository' | 'id' | 'properties'>,
  schemas: readonly Schema[],
): Array<{ repository: string; documentId: string; xpath: string; digest: string }> {
  const rows: ReturnType<typeof blobRows> = [];
  for (const schema of schemas) {
    for (const property of schema.properties.values()) {
      eachBlob(property, properties[property.xpath], (xpath, { digest }) => {
        rows.push({ repository, documentId: id, xpath, digest });
      });
    }
  }
  return rows;
}
