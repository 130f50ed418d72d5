import { Invalid, Stale } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { type ListChange, withLists } from './append.ts';
import { sortTitle } from './create-document.ts';
import { differing, isTracked, requireMayWrite, whenModified } from './dublin-core.ts';
import { type DocumentReference, lockDocument, requireMatch } from './lock-document.ts';
import { checkProperties, readProperties, withoutUnset } from './properties.ts';
import { replaceBlobs, saveDocument } from './write-document.ts';

export interface DocumentChange {
  /** When given, must be the id of the addressed document. */
  readonly uid?: string | null | undefined;
  /** When given, the state that the change is based on. */
  readonly changeToken?: string | null | undefined;
  /** By xpath, as JSON; what is absent stays, null clears. */
  readonly properties?: Record<string, unknown> | null | undefined;
  /** What lists among them do to those that are there; they replace them where it is not said. */
  readonly lists?: Readonly<Record<string, ListChange>> | undefined;
}

/** Only the user's half counts: what the server changed by itself does not make a change stale. */
function requireFresh(row: DocumentRow, token: string | null | undefined): void {
  if (typeof token !== 'string') return;
  const userToken = /^\d+-(\d+)$/.exec(token)?.[1];
  if (userToken !== String(row.userToken)) throw new Stale(`${row.id}, Invalid change token`);
}

/**
 * Changes the properties given of a document. A change that changes nothing leaves no trace.
 * @param ifMatch change tokens, one of which must be the document's.
 * @throws NotFound, Forbidden, Invalid, Stale, PreconditionFailed, Unprocessable
 */
export async function updateDocument(
  scope: Scope,
  reference: DocumentReference,
  change: DocumentChange,
  ifMatch?: readonly string[] | null,
): Promise<DocumentRow> {
  const before = await lockDocument(scope, reference, { hold: 'NO KEY UPDATE', needs: 'WriteProperties' });
  if (typeof change.uid === 'string' && change.uid !== '' && change.uid.toLowerCase() !== before.id) {
    throw new Invalid(`uid: the body is of ${change.uid}, the addressed document is ${before.id}`);
  }
  requireMatch(before, ifMatch);
  requireFresh(before, change.changeToken);

  const schemas = scope.model.schemasOf(before.type, before.facets);
  const read = await readProperties(scope, schemas, change.properties ?? {}, before);
  const given = withLists(before.properties, read, change.lists);
  const changed = differing(before.properties, given);
  if (Object.keys(changed).length === 0) return before;

  requireMayWrite(scope.user, changed);
  const facets = [...(scope.model.types.get(before.type)?.facets ?? []), ...before.facets];
  const now = new Date().toISOString();
  const written = isTracked(schemas, facets)
    ? whenModified(scope.user, now, before.properties, changed)
    : changed;
  const properties = withoutUnset({ ...before.properties, ...written });
  await checkProperties(scope, schemas, properties, Object.keys(changed));

  const title = sortTitle(before.name, properties);
  const after = { ...before, properties, title, userToken: before.userToken + 1 };
  await saveDocument(scope, after, [{ eventId: 'documentModified', document: after }]);
  await replaceBlobs(scope.db, { before, after }, schemas);
  return after;
}
