import { Invalid, Stale } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Increment } from '../model/versioning.ts';
import type { Scope } from '../scope.ts';
import { addVersion } from './check-in.ts';
import { sortTitle } from './create-document.ts';
import { differing, isTracked, requireMayWrite, whenModified } from './dublin-core.ts';
import { type DocumentReference, lockDocument, requireMatch } from './lock-document.ts';
import { type ListChange, placed } from './placed.ts';
import { checkProperties, readProperties, withoutUnset } from './properties.ts';
import { saveChange } from './save-change.ts';
import { requireVersionable } from './versions.ts';

export interface DocumentChange {
  /** When given, must be the id of the addressed document. */
  readonly uid?: string | null | undefined;
  /** When given, the state that the change is based on. */
  readonly changeToken?: string | null | undefined;
  /** By xpath, also of places within a property, as JSON; what is absent stays, null clears. */
  readonly properties?: Record<string, unknown> | null | undefined;
  /** What lists among them do to those that are there; they replace them where it is not said. */
  readonly lists?: Readonly<Record<string, ListChange>> | undefined;
  /** Whether a version is made of the changed document, and answered (§11). */
  readonly versioning?: Increment | undefined;
}

/** Only the user's half counts: what the server changed by itself does not make a change stale. */
function requireFresh(row: DocumentRow, token: string | null | undefined): void {
  if (typeof token !== 'string') return;
  const userToken = /^\d+-(\d+)$/.exec(token)?.[1];
  if (userToken !== String(row.userToken)) throw new Stale(`${row.id}, Invalid change token`);
}

/** What a change is of, and of which state. @throws Invalid, PreconditionFailed, Stale */
function requireMeant(
  row: DocumentRow,
  { uid, changeToken }: DocumentChange,
  ifMatch?: readonly string[] | null,
): void {
  if (typeof uid === 'string' && uid !== '' && uid.toLowerCase() !== row.id) {
    throw new Invalid(`uid: the body is of ${uid}, the addressed document is ${row.id}`);
  }
  requireMatch(row, ifMatch);
  requireFresh(row, changeToken);
}

/** The properties of a document with others, or none when they are as they were. @throws Invalid, Unprocessable */
async function changedProperties(
  scope: Scope,
  before: DocumentRow,
  given: StoredProperties,
): Promise<StoredProperties | null> {
  const schemas = scope.model.schemasOf(before.type, before.facets);
  const changed = differing(before.properties, given);
  if (Object.keys(changed).length === 0) return null;

  requireMayWrite(scope.user, changed);
  const facets = facetsOf(scope.model, before);
  const now = new Date().toISOString();
  const written = isTracked(schemas, facets)
    ? whenModified(scope.user, now, before.properties, changed)
    : changed;
  const properties = withoutUnset({ ...before.properties, ...written });
  await checkProperties(scope, schemas, properties, Object.keys(changed));
  return properties;
}

/**
 * Writes properties of a document that is held, with all that goes with a change.
 * @param given whole properties, as they are stored.
 * @returns the document, or the version that was asked for; null when nothing is changed.
 * @throws Invalid, Unprocessable
 */
export async function writeProperties(
  scope: Scope,
  before: DocumentRow,
  given: StoredProperties,
  versioning: Increment = 'NONE',
): Promise<DocumentRow | null> {
  const properties = await changedProperties(scope, before, given);
  if (!properties) return null;
  const title = sortTitle(before.name, properties);
  const after = { ...before, properties, title, userToken: before.userToken + 1 };
  return saveChange(scope, { before, after }, versioning);
}

/**
 * Changes the properties given of a document. A change that changes nothing leaves no trace.
 * @param ifMatch change tokens, one of which must be the document's.
 * @returns the document, or the version that was asked for.
 * @throws NotFound, Forbidden, Invalid, Stale, PreconditionFailed, Unprocessable
 */
export async function updateDocument(
  scope: Scope,
  reference: DocumentReference,
  change: DocumentChange,
  ifMatch?: readonly string[] | null,
): Promise<DocumentRow> {
  const before = await lockDocument(scope, reference, { hold: 'NO KEY UPDATE', needs: 'WriteProperties' });
  requireMeant(before, change, ifMatch);
  const { versioning = 'NONE' } = change;
  if (versioning !== 'NONE') requireVersionable(scope, before);

  const schemas = scope.model.schemasOf(before.type, before.facets);
  const read = await readProperties(scope, schemas, change.properties ?? {}, before);
  const given = placed(schemas, before.properties, { given: read, lists: change.lists });
  const saved = await writeProperties(scope, before, given, versioning);
  if (saved) return saved;
  if (versioning === 'NONE') return before;
  return (await addVersion(scope, before, { increment: versioning })).version;
}
