import type { Query } from '../db/database.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { notGranted, requirePermission, requirePermissions } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { type Event, recorded, write } from './audit.ts';
import { deleteVersions } from './delete-versions.ts';
import { endMemberships, holdWithMemberships } from './end-memberships.ts';
import { holdInOrder } from './hold-in-order.ts';
import { holdLive } from './hold-live.ts';
import { type DocumentReference, findDocument, requireMatch } from './lock-document.ts';

/** The condition that a row is one of some documents, or below one. */
const isDoomed = (row: string): string =>
  `(${row}.id = ANY($2::uuid[]) OR ${row}.ancestor_ids && $2::uuid[])`;

/**
 * Documents and all below them, held from the top down: as everybody takes them in this order, nobody who creates or
 * deletes below waits for us while we wait for him.
 */
const holdTree: Query = {
  name: 'hold-tree',
  text: `
    SELECT FROM document d WHERE d.repository = $1 AND ${isDoomed('d')}
    ORDER BY cardinality(d.ancestor_ids), d.id FOR UPDATE`,
};

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
const deleteQuery = (name: string, areHeld: boolean) =>
  recorded(
    { name, text: `DELETE FROM document d WHERE d.repository = $1 AND ${isDoomed('d')} RETURNING d.id` },
    'first',
    endMemberships(isDoomed('d'), areHeld),
  );

const deleteQueries = {
  held: deleteQuery('delete-held-tree', true),
  found: deleteQuery('delete-tree', false),
};

const removed = (document: DocumentRow): Event => ({
  eventId: document.isProxy ? 'proxyRemoved' : 'documentRemoved',
  document,
});

/** Deletes documents that are held, none of them in another, with everything below them. */
export async function deleteTrees(scope: Scope, documents: readonly DocumentRow[]): Promise<void> {
  const values = [scope.options.repository, documents.map(({ id }) => id)];
  await scope.db.query(holdTree, values);
  await write(scope, deleteQueries.found, values, documents.map(removed));
}

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
  ifMatch?: readonly string[] | null,
): Promise<string> {
  const found = await findDocument(scope, reference);
  if (found.isVersion) {
    const { live, version } = await holdLive(scope, { id: found.id });
    if (!version) throw new NotFound(found.id);
    requireMatch(version, ifMatch);
    await deleteVersions(scope, [{ live, version }]);
  } else {
    const document = await holdDoomed(scope, found);
    requireMatch(document, ifMatch);
    await write(scope, deleteQueries.held, [document.repository, [document.id]], [removed(document)]);
  }
  return found.id;
}

/**
 * Deletes documents, one of which may be in another, and everything below them.
 * @throws NotFound; Forbidden without the rights on each of them.
 */
export async function deleteDocuments(scope: Scope, references: readonly DocumentReference[]): Promise<void> {
  const { documents, way } = await holdInOrder(scope, references);
  const doomed = new Map(documents.map((row) => [row.id, row]));
  const held = (id: string | null): DocumentRow => {
    const row = way.get(id ?? '');
    if (!row) throw new NotFound(id ?? '');
    return row;
  };
  const all = [...doomed.values()];
  const [versions, others] = [all.filter((row) => row.isVersion), all.filter((row) => !row.isVersion)];
  await requirePermissions(scope, [
    ...versions.map(({ liveId }) => [held(liveId), 'WriteVersion'] as const),
    ...others.map((row) => [row, 'Remove'] as const),
  ]);
  for (const row of others) requireNotRoot(row);
  await requirePermissions(
    scope,
    others.map(({ parentId }) => [held(parentId), 'RemoveChildren']),
  );
  const isTop = ({ ancestorIds }: DocumentRow): boolean => !ancestorIds.some((id) => doomed.has(id));
  if (others.some(isTop)) await deleteTrees(scope, others.filter(isTop));
  const alone = versions.filter(isTop).map((version) => ({ live: held(version.liveId), version }));
  if (alone.length > 0) await deleteVersions(scope, alone);
}
