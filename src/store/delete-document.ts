import type { Query } from '../db/database.ts';
import { Forbidden } from '../errors.ts';
import { notGranted, requirePermission } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { recorded, write } from './audit.ts';
import { deleteVersion } from './delete-version.ts';
import { endMemberships } from './end-memberships.ts';
import { type Held, holdLive } from './hold-live.ts';
import { type DocumentReference, requireMatch } from './lock-document.ts';

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

/** Reads a document that is to be deleted, or the version that is, and holds it. @throws NotFound, Forbidden */
async function holdDoomed(scope: Scope, reference: DocumentReference): Promise<Held> {
  const held = await holdLive(scope, reference);
  if (held.version) return held;
  await requirePermission(scope, held.live, 'Remove');
  if (held.live.path === '/') throw new Forbidden('the root of a repository cannot be deleted');
  await requireOnParent(scope, held.live);
  return held;
}

/** A document created meanwhile below one of these is none of them yet: the foreign key takes it along. */
const deleteQuery = recorded(
  {
    name: 'delete-tree',
    text: `
      DELETE FROM document d WHERE d.repository = $1 AND ${isDoomed('d')}
      RETURNING d.id`,
  },
  'first',
  endMemberships(isDoomed('d')),
);

/** Deletes documents that are held, none of them in another, with everything below them. */
export async function deleteTrees(scope: Scope, documents: readonly DocumentRow[]): Promise<void> {
  const values = [scope.options.repository, documents.map(({ id }) => id)];
  await scope.db.query(holdTree, values);
  const events = documents.map((document) => ({
    eventId: document.isProxy ? 'proxyRemoved' : 'documentRemoved',
    document,
  }));
  await write(scope, deleteQuery, values, events);
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
  const { live, version } = await holdDoomed(scope, reference);
  requireMatch(version ?? live, ifMatch);
  if (version) await deleteVersion(scope, live, version);
  else await deleteTrees(scope, [live]);
  return (version ?? live).id;
}

/**
 * Deletes documents, one of which may be in another, and everything below them.
 * @throws NotFound; Forbidden without the rights on each of them.
 */
export async function deleteDocuments(scope: Scope, references: readonly DocumentReference[]): Promise<void> {
  const doomed = new Map<string, Held>();
  for (const reference of references) {
    const held = await holdDoomed(scope, reference);
    doomed.set((held.version ?? held.live).id, held);
  }
  const isTop = ({ ancestorIds }: DocumentRow): boolean => !ancestorIds.some((id) => doomed.has(id));
  const held = [...doomed.values()];
  const tops = held.filter(({ version }) => !version).map(({ live }) => live);
  if (tops.some(isTop)) await deleteTrees(scope, tops.filter(isTop));
  for (const { live, version } of held) {
    if (version && isTop(version)) await deleteVersion(scope, live, version);
  }
}
