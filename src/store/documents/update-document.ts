import { Invalid, Stale } from '../../errors.ts';
import { changeToken, type DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { facetsOf } from '../../model/facets-of.ts';
import type { Schema } from '../../model/model.ts';
import { sortTitle } from '../../model/names.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Increment } from '../../model/versioning.ts';
import type { Scope } from '../../scope.ts';
import { requireBeforeLocks } from '../row-locks/before-locks.ts';
import { lockDocument } from '../row-locks/lock-document.ts';
import { lockWithAncestors } from '../row-locks/lock-with-ancestors.ts';
import { addVersion } from '../versions/check-in.ts';
import { requireVersionable } from '../versions/versions.ts';
import { applyPropertyChanges, type ListChange } from './apply-property-changes.ts';
import { differingProperties, isTracked, modificationProperties, requireNotReadOnly } from './dublin-core.ts';
import { type Preconditions, requirePreconditions } from './mutability.ts';
import { checkProperties, readProperties, withoutUnset } from './properties.ts';
import { saveChange } from './save-change.ts';

/** A change to a document. */
interface DocumentChange {
  /** If set, it must be the id of the document in the URL. */
  readonly uid?: string | null | undefined;
  /** The change token of the state that the change is based on. */
  readonly changeToken?: string | null | undefined;
  /**
   * JSON values by xpath, which can point inside a property. Absent properties remain unchanged; null clears a
   * property.
   */
  readonly properties?: Record<string, unknown> | null | undefined;
  /** How lists are changed, by xpath; a list without an entry replaces the stored one. */
  readonly listChanges?: Readonly<Record<string, ListChange>> | undefined;
  /** If set, a version of the changed document is created and returned (§11). */
  readonly versioning?: Increment | undefined;
}

/**
 * Checks that a change token is not stale. Compares only the user's half of the token, because changes by the server do
 * not make a change stale.
 */
function requireFresh(row: DocumentRow, token: string | null | undefined): void {
  if (typeof token !== 'string') return;
  const userToken = /^\d+-(\d+)$/.exec(token)?.[1];
  if (userToken !== String(row.userToken))
    throw new Stale(
      `${row.path} has changed since it was read: Invalid change token ${token.slice(0, 40)}, the current one is ${changeToken(row)}. Read the document again, or send the change without changeToken to overwrite it.`,
    );
}

/**
 * Checks that a change applies to this document in its current state.
 * @throws Invalid, PreconditionFailed, Stale
 */
function requireMatch(
  row: DocumentRow,
  { uid, changeToken }: DocumentChange,
  conditions: Preconditions,
): void {
  if (typeof uid === 'string' && uid !== '' && uid.toLowerCase() !== row.id) {
    throw new Invalid(`uid: The body has the id ${uid}, but the URL refers to the document ${row.id}.`);
  }
  requirePreconditions(row, conditions);
  requireFresh(row, changeToken);
}

/** A document before and after a change to its properties. The new values have not been validated yet. */
interface ChangedDocument {
  readonly before: DocumentRow;
  readonly after: DocumentRow;
  readonly schemas: readonly Schema[];
  /** The xpaths of the properties that differ. */
  readonly xpaths: readonly string[];
}

/**
 * Applies a change to a document.
 * @returns null if the change has no effect
 * @throws Invalid
 */
export function documentAfter(
  { services: { model }, user }: Scope,
  before: DocumentRow,
  values: StoredProperties,
): ChangedDocument | null {
  const schemas = model.schemasOf(before.type, before.facets);
  const changed = differingProperties(before.properties, values);
  const xpaths = Object.keys(changed);
  if (xpaths.length === 0) return null;

  requireNotReadOnly(user, changed);
  const written = isTracked(schemas, facetsOf(model, before))
    ? modificationProperties(user, new Date().toISOString(), before.properties, changed)
    : changed;
  const properties = withoutUnset({ ...before.properties, ...written });
  const title = sortTitle(before.name, properties);
  const after = { ...before, properties, title, userToken: before.userToken + 1 };
  return { before, after, schemas, xpaths };
}

/** Options for writing properties. */
interface WriteOptions {
  readonly versioning?: Increment;
  /** Values that are accepted even if they violate constraints; by default, the document's current values. */
  readonly stored?: StoredProperties;
}

/**
 * Writes complete property values of a locked document.
 * @returns the document, or its version if one is requested; null if nothing changes
 * @throws Invalid, Unprocessable
 */
export async function writeProperties(
  scope: Scope,
  before: DocumentRow,
  values: StoredProperties,
  { versioning = 'NONE', stored = before.properties }: WriteOptions = {},
): Promise<DocumentRow | null> {
  const changed = documentAfter(scope, before, values);
  if (!changed) return null;
  const { after, schemas, xpaths } = changed;
  await checkProperties(scope, schemas, after.properties, { xpaths, stored });
  return saveChange(scope, { before, after }, versioning);
}

/**
 * Changes properties of a document. If all values equal the stored ones, nothing is written or logged.
 * @returns the document, or its version if one is requested
 * @throws NotFound, Forbidden, Invalid, Stale, PreconditionFailed, Unprocessable
 */
export async function updateDocument(
  scope: Scope,
  reference: DocumentReference,
  change: DocumentChange,
  conditions: Preconditions = {},
): Promise<DocumentRow> {
  const before = await lockDocument(scope, reference, { mode: 'NO KEY UPDATE', needs: 'WriteProperties' });
  requireMatch(before, change, conditions);
  const { versioning = 'NONE' } = change;
  if (versioning !== 'NONE') requireVersionable(scope, before);

  const schemas = scope.services.model.schemasOf(before.type, before.facets);
  const read = await readProperties(scope, schemas, change.properties ?? {}, before);
  const values = await applyPropertyChanges(schemas, before.properties, {
    values: read,
    lists: change.listChanges,
  });
  const saved = await writeProperties(scope, before, values, { versioning });
  if (saved) return saved;
  if (versioning === 'NONE') return before;
  return (await addVersion(scope, before, { increment: versioning })).version;
}

/**
 * Makes the same change to several documents. All of them are locked first, in the same order as in all other
 * transactions: otherwise, two calls with the same documents in a different order could deadlock. After that, each
 * document takes as many statements as a single change.
 * @throws the errors of `updateDocument`; in that case, nothing is changed
 */
export async function updateDocuments(
  scope: Scope,
  references: readonly DocumentReference[],
  change: Pick<DocumentChange, 'properties' | 'versioning'>,
): Promise<DocumentRow[]> {
  await requireBeforeLocks(scope, references, () => 'WriteProperties');
  const { documents } = await lockWithAncestors(scope, references);
  const changed: DocumentRow[] = [];
  for (const id of new Set(documents.map((row) => row.id)))
    changed.push(await updateDocument(scope, { id }, change));
  return changed;
}
