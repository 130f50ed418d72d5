import { v4 as randomId } from 'uuid';
import { hashId } from '../hash-id.ts';
import { requirePermission } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { lifeCycle } from '../model/life-cycle.ts';
import { childPath, documentName } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import type { Event } from './audit.ts';
import { copyTree, fresh } from './copy-tree.ts';
import { insertNamed } from './create-document.ts';
import { holdPlaces, type Places } from './hold-places.ts';
import type { DocumentReference } from './lock-document.ts';
import { pointToAcls } from './point-to-acls.ts';

export interface Copy {
  /** The folder of the copy. */
  readonly target: DocumentReference;
  /** That of the document when absent. */
  readonly name?: string | null | undefined;
  /** Whether the copies begin their life cycle anew; otherwise they are in the state of what they are copies of. */
  readonly resetLifeCycle?: boolean | null | undefined;
}

/** The copy of the top document, before it has got its name. */
function rowOf({ document, target }: Places, { name, resetLifeCycle }: Copy, id: string): DocumentRow {
  const named = typeof name === 'string' ? documentName(name) : document.name;
  const { isProxy, majorVersion, minorVersion, isCheckedOut } = document;
  return {
    ...document,
    ...fresh,
    ...(isProxy && { majorVersion, minorVersion, isCheckedOut }), // it goes on showing its version
    ...{ id, name: named, path: childPath(target.path, named), position: null },
    ...{ parentId: target.id, ancestorIds: [...target.ancestorIds, target.id], aclId: target.aclId },
    state: resetLifeCycle ? lifeCycle.initial : document.state,
    isTrashed: document.isTrashed || target.isTrashed,
  };
}

/** Both of it: the copy that there is now, and what has been done with the document. */
const eventsOf =
  (document: DocumentRow) =>
  (copy: DocumentRow): Event[] => [
    { eventId: 'documentDuplicated', document, comment: `${copy.repository}:${copy.id}` },
    { eventId: 'documentCreatedByCopy', document: copy, comment: `${document.repository}:${document.id}` },
  ];

/**
 * Copies a document with all below it into a folder; when the name is taken there, milliseconds are put behind it.
 * Properties stay what they are, who made it and when among them; versions, locks and numbers of versions do not come
 * along, ACLs do.
 * @throws NotFound, Forbidden, Invalid, Conflict
 */
export async function copyDocument(
  scope: Scope,
  reference: DocumentReference,
  copying: Copy,
): Promise<DocumentRow> {
  const places = await holdPlaces(scope, reference, copying.target, 'SHARE');
  const { document, target } = places;
  await requirePermission(scope, document, 'Read');
  await requirePermission(scope, target, 'AddChildren');
  const salt = randomId();
  const row = rowOf(places, copying, hashId(salt + document.id));
  const copy = await insertNamed(scope, row, eventsOf(document));
  const resetLifeCycle = copying.resetLifeCycle ?? false;
  const haveAcls = await copyTree(scope, { document, copy, salt, resetLifeCycle });
  if (!haveAcls) return copy;
  const { repository, id } = copy;
  return { ...copy, aclId: await pointToAcls(scope.db, { repository, id }, true) };
}
