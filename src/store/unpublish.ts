import type { Query } from '../db/database.ts';
import { NotFound } from '../errors.ts';
import { createAccess, requirePermission, requirePermissions } from '../loaders/access.ts';
import { type DocumentRow, documentQuery } from '../loaders/document-row.ts';
import { isUuid } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { deleteTrees } from './delete-document.ts';
import { addressOf, type DocumentReference } from './lock-document.ts';

const holdQuery = (by: 'id' | 'path') => {
  const meant = `ARRAY(
    SELECT coalesce(s.live_id, s.id) FROM document s
    WHERE s.repository = $1 AND ${by === 'id' ? 's.id = $2::uuid' : 's.path = $2 AND NOT s.is_version'}
  )`;
  return documentQuery(
    `hold-published-by-${by}`,
    `WHERE d.repository = $1 AND (d.id = ANY(${meant}) OR (d.live_id = ANY(${meant}) AND d.is_proxy))
     ORDER BY cardinality(d.ancestor_ids), d.id FOR UPDATE`,
  );
};

const holdQueries = { id: holdQuery('id'), path: holdQuery('path') };

const parentsQuery: Query = {
  name: 'acls-of-parents',
  text: `
    SELECT d.acl_id AS "aclId", d.lock_owner AS "lockOwner" FROM document d
    WHERE d.repository = $1 AND d.id = ANY($2::uuid[])`,
};

/** Deletes proxies that are held. @throws Forbidden without the rights on each of them and on its section. */
export async function deleteProxies(scope: Scope, proxies: readonly DocumentRow[]): Promise<void> {
  if (proxies.length === 0) return;
  const { repository } = scope.options;
  const parents = await scope.db.query<Pick<DocumentRow, 'aclId' | 'lockOwner'>>(parentsQuery, [
    repository,
    [...new Set(proxies.map(({ parentId }) => parentId))],
  ]);
  await requirePermissions(scope, [
    ...proxies.map((proxy) => [proxy, 'Remove'] as const),
    ...parents.map((parent) => [parent, 'RemoveChildren'] as const),
  ]);
  await deleteTrees(scope, proxies);
}

/**
 * Deletes all proxies of a document, or of the one that a version or proxy shows a state of, that the caller may read.
 * @returns the live document.
 * @throws NotFound; Forbidden without the right to delete each of them.
 */
export async function unpublish(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const { by, value } = addressOf(reference);
  const isPossible = by === 'id' ? isUuid(value) : !value.includes('\0');
  const rows = isPossible
    ? await scope.db.query<DocumentRow>(holdQueries[by], [scope.options.repository, value])
    : [];
  const live = rows.find(({ liveId }) => liveId === null);
  if (!live) throw new NotFound(value);
  const proxies = rows.filter((row) => row !== live);
  const named = proxies.find(({ id, path }) => (by === 'id' ? id : path) === value) ?? live;
  await requirePermission(scope, named, 'Read');

  const { may } = createAccess(scope);
  const readable = await Promise.all(proxies.map(({ aclId }) => may(aclId, 'Read')));
  await deleteProxies(
    scope,
    proxies.filter((_, index) => readable[index]),
  );
  return live;
}
