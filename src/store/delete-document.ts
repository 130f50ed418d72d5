import type { Query } from '../db/database.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { notGranted, requirePermission, requirePermissions } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { type Event, recorded, write } from './audit.ts';
import { deleteVersions } from './delete-versions.ts';
import { endMemberships, holdAllWithMemberships, holdWithMemberships } from './end-memberships.ts';
import { type HeldInOrder, holdInOrder } from './hold-in-order.ts';
import { type DocumentReference, findDocument, requireMatch } from './lock-document.ts';

/** The condition that a row is one of some documents, or below one. */
const isDoomed = (row: string): string =>
  `(${row}.id = ANY($2::uuid[]) OR ${row}.ancestor_ids && $2::uuid[])`;

const parentQuery: Query = {
  name: 'acl-of-parent',
  text: `
    SELECT d.acl_id AS "aclId", d.lock_owner AS "lockOwner" FROM document d
    WHERE d.repository = $1 AND d.id = $2::uuid`,
};

/** §4.1: deleting needs a permission on the parent too. */
async function requireOnParent(scope: Scope, { repository, parentId }: DocumentRow): Promise<void> {
  if (parentId === null || scope.user.isAdministrator) return;
  const [parent] = await scope.db.query<Pick<DocumentRow, 'aclId' | 'lockOwner'>>(parentQuery, [
    repository,
    parentId,
  ]);
  if (!parent) throw notGranted(scope, 'RemoveChildren');
  await requirePermission(scope, parent, 'RemoveChildren');
}

function requireNotRoot({ path }: DocumentRow): void {
  if (path === '/') throw new Forbidden('the root of a repository cannot be deleted');
}

const holdQuery = holdWithMemberships('hold-doomed', isDoomed('d'));

/** Reads a document that is to be deleted, and holds it with all that this changes. @throws NotFound, Forbidden */
async function holdDoomed(scope: Scope, found: DocumentRow): Promise<DocumentRow> {
  await requirePermission(scope, found, 'Remove'); // before anything is held
  requireNotRoot(found);
  const [held] = await scope.db.query<DocumentRow>(holdQuery, [found.repository, [found.id]]);
  if (!held) throw new NotFound(found.id);
  await requirePermission(scope, held, 'Remove');
  await requireOnParent(scope, held);
  return held;
}

/** A document created meanwhile below one of these is none of them yet: the foreign key takes it along. */
const deleteQuery = recorded(
  {
    name: 'delete-tree',
    text: `DELETE FROM document d WHERE d.repository = $1 AND ${isDoomed('d')} RETURNING d.id`,
  },
  'first',
  endMemberships(isDoomed('d'), true),
);

const removed = (document: DocumentRow): Event => ({
  eventId: document.isProxy ? 'proxyRemoved' : 'documentRemoved',
  document,
});

/** Deletes documents, none of them in another, which are held with all that this changes. */
const deleteHeld = (scope: Scope, documents: readonly DocumentRow[]): Promise<unknown> =>
  write(
    scope,
    deleteQuery,
    [scope.options.repository, documents.map(({ id }) => id)],
    documents.map(removed),
  );

const holdTreesQuery = holdAllWithMemberships('hold-trees', isDoomed('d'));

/** Deletes documents that are held, none of them in another, with everything below them. */
export async function deleteTrees(scope: Scope, documents: readonly DocumentRow[]): Promise<void> {
  await scope.db.query(holdTreesQuery, [scope.options.repository, documents.map(({ id }) => id)]);
  await deleteHeld(scope, documents);
}

function heldIn(way: HeldInOrder['way'], id: string | null): DocumentRow {
  const row = way.get(id ?? '');
  if (!row) throw new NotFound(id ?? '');
  return row;
}

/** @throws NotFound, PreconditionFailed; Forbidden without WriteVersion on its live document */
async function deleteVersion(scope: Scope, found: DocumentRow, ifMatch: Tokens): Promise<void> {
  await requirePermission(scope, found, 'WriteVersion'); // before anything is held; the same ACEs count on both
  const { documents, way } = await holdInOrder(scope, [{ id: found.id }], { hold: 'DELETE' });
  const version = documents[0] as DocumentRow;
  const live = heldIn(way, version.liveId);
  await requirePermission(scope, live, 'WriteVersion');
  requireMatch(version, ifMatch);
  await deleteVersions(scope, [{ live, version }]);
}

type Tokens = readonly string[] | null | undefined;

/**
 * Deletes a document and everything below it, or a version, for good (§3, §11).
 * @param ifMatch change tokens, one of which must be the document's.
 * @returns the id of the document that was.
 * @throws NotFound, PreconditionFailed; Forbidden without the rights, for the root, which every repository has, and for
 * a version that is needed.
 */
export async function deleteDocument(
  scope: Scope,
  reference: DocumentReference,
  ifMatch?: Tokens,
): Promise<string> {
  const found = await findDocument(scope, reference);
  if (found.isVersion) {
    await deleteVersion(scope, found, ifMatch);
  } else {
    const document = await holdDoomed(scope, found);
    requireMatch(document, ifMatch);
    await deleteHeld(scope, [document]);
  }
  return found.id;
}

/**
 * Deletes documents, one of which may be in another, and everything below them.
 * @throws NotFound; Forbidden without the rights on each of them.
 */
export async function deleteDocuments(scope: Scope, references: readonly DocumentReference[]): Promise<void> {
  const { documents, way } = await holdInOrder(scope, references, { hold: 'DELETE' });
  const doomed = new Map(documents.map((row) => [row.id, row]));
  const all = [...doomed.values()];
  const [versions, others] = [all.filter((row) => row.isVersion), all.filter((row) => !row.isVersion)];
  await requirePermissions(scope, [
    ...versions.map(({ liveId }) => [heldIn(way, liveId), 'WriteVersion'] as const),
    ...others.map((row) => [row, 'Remove'] as const),
  ]);
  for (const row of others) requireNotRoot(row);
  await requirePermissions(
    scope,
    others.map(({ parentId }) => [heldIn(way, parentId), 'RemoveChildren']),
  );
  const isTop = ({ ancestorIds }: DocumentRow): boolean => !ancestorIds.some((id) => doomed.has(id));
  if (others.some(isTop)) await deleteHeld(scope, others.filter(isTop));
  const alone = versions.filter(isTop).map((version) => ({ live: heldIn(way, version.liveId), version }));
  if (alone.length > 0) await deleteVersions(scope, alone);
}
