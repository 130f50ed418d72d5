import { Invalid } from '../errors.ts';
import { type DocumentRow, versionLabel } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { Scope } from '../scope.ts';
import { addVersion } from './check-in.ts';
import { holdLive } from './hold-live.ts';
import { addressOf, type DocumentReference } from './lock-document.ts';
import { holdMembers, setMembers } from './set-members.ts';
import { checkedOut } from './versions.ts';
import { replaceBlobs, saveDocument } from './write-document.ts';

/** Facets that say what has become of the live document, and nothing of what it holds. */
const lasting = ['CollectionMember', 'Notifiable'];

/** The document with what the version holds. */
function restored(live: DocumentRow, version: DocumentRow): DocumentRow {
  const { title, properties, majorVersion, minorVersion } = version;
  return {
    ...live,
    ...{ title, properties, majorVersion, minorVersion, isCheckedOut: false, baseVersionId: version.id },
    facets: [...new Set([...version.facets, ...live.facets.filter((facet) => lasting.includes(facet))])],
    userToken: live.userToken + 1,
  };
}

/** How a version is restored. */
export interface Restoring {
  /** Whether a version is made first of what is not checked in yet. */
  readonly createVersion?: boolean;
  /** Whether the document is checked out afterwards, instead of checked in on the version. */
  readonly checkout?: boolean;
}

/**
 * Gives a document the properties, facets and members of one of its versions; its place, its state and its lock stay (§11).
 * @param reference the version.
 * @returns the live document.
 * @throws NotFound, Forbidden; Invalid when what is named is no version.
 */
export async function restoreVersion(
  scope: Scope,
  reference: DocumentReference,
  { createVersion = false, checkout = false }: Restoring = {},
): Promise<DocumentRow> {
  const { by, value } = addressOf(reference);
  if (by === 'id') await holdMembers(scope, value); // no path leads to a version
  const held = await holdLive(scope, reference);
  if (!held.version) throw new Invalid(`${held.live.id} is no version`);
  const isKept = createVersion && held.live.isCheckedOut;
  const live = isKept ? (await addVersion(scope, held.live, { increment: 'MINOR' })).live : held.live;
  const asVersion = restored(live, held.version);
  const after = checkout ? await checkedOut(scope, asVersion) : asVersion;
  const comment = versionLabel(held.version);
  await saveDocument(scope, after, [{ eventId: 'documentRestored', document: after, comment }]);
  await replaceBlobs(scope.db, { before: live, after }, scope.model.schemasOf(after.type, after.facets));
  const isCollection = (row: DocumentRow) => facetsOf(scope.model, row).includes('Collection');
  if (isCollection(after)) await setMembers(scope, after, { version: held.version, areHeld: true });
  else if (isCollection(live)) await setMembers(scope, after, { version: null, areHeld: true });
  return after;
}
