import { statement } from '../../../db/statement.ts';
import { Conflict } from '../../../errors.ts';
import { requirePermissions } from '../../../loaders/acls/access.ts';
import { byReference, queryByReference } from '../../../loaders/documents/by-reference.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { commentRootId } from '../../../model/comments/comment-tree.ts';
import type { DocumentReference } from '../../../model/document-reference.ts';
import { childPath, untrashedName } from '../../../model/names.ts';
import type { Scope } from '../../../scope.ts';
import { lockDocument } from '../../row-locks/lock-document.ts';
import { lockRelated } from '../../row-locks/lock-documents.ts';
import { topDown } from '../../row-locks/lock-order.ts';
import { lockWithFolders } from '../../row-locks/lock-with-folders.ts';
import { withModification } from '../dublin-core.ts';
import { type Preconditions, requireNotVersion, requirePreconditions } from '../mutability.ts';
import { relocate } from '../relocate.ts';
import { saveDocument } from '../write-document.ts';

const trashedQueries = byReference(
  (by, condition) => statement(`trashed-path-${by}`, { id: 'uuid', of: 'uuid', isVersion: 'bool' })`
  SELECT a.id, d.id AS "of", d.is_version AS "isVersion" FROM document d
  JOIN document a ON a.repository = d.repository AND a.id = ANY(d.ancestor_ids || d.id) AND a.is_trashed
  WHERE d.repository = $1 AND ${condition('d')}
  ORDER BY cardinality(a.ancestor_ids)`,
);

/**
 * Returns the ids of the trashed ancestors, topmost first, followed by the id of the document.
 * @throws Invalid
 */
async function trashedPath(scope: Scope, reference: DocumentReference): Promise<string[]> {
  const rows = await queryByReference(scope, trashedQueries, reference);
  for (const { of: id, isVersion } of rows.slice(0, 1)) requireNotVersion({ id, isVersion });
  return rows.map(({ id }) => id);
}

// Clears the trash flag. $2 contains the documents to restore, $3 is the last of them, and $4 contains the comment
// folders of $2. `tops` selects the versions of $2, as well as $3 and $4; everything below these documents is restored
// with them. The rows are locked first, in the same order as in all other transactions.
const flagQuery = statement('untrash', { count: 'int4' })`
  WITH tops AS MATERIALIZED (
    SELECT v.id FROM document v WHERE v.repository = $1 AND v.live_id = ANY($2::uuid[]) AND v.is_version
    UNION ALL SELECT unnest($4::uuid[] || $3::uuid)
  ), locked AS MATERIALIZED (
    SELECT d.id FROM document d
    WHERE d.repository = $1 AND d.is_trashed
      AND (d.id = ANY($2::uuid[] || $4::uuid[]) OR d.ancestor_ids && ARRAY(SELECT id FROM tops))
    ${topDown('NO KEY UPDATE')}
  ), restored AS (
    UPDATE document d SET is_trashed = false, system_token = d.system_token + 1
    FROM locked WHERE d.repository = $1 AND d.id = locked.id RETURNING d.id
  )
  SELECT count(*)::int AS count FROM restored`;

// Repeats the statement until it finds no more rows, because rows may have been created before their parent was locked.
async function unflag({ db, options }: Scope, ids: readonly string[]): Promise<void> {
  for (let left = 1; left > 0; ) {
    const values = [options.repository, ids, ids.at(-1), ids.map(commentRootId)];
    left = (await db.query(flagQuery, values))[0]?.count ?? 0;
  }
}

// Locks the folder of the topmost trashed document, and then the trashed documents from the top down.
async function lockTrashed(
  scope: Scope,
  ids: readonly string[],
): Promise<{ parent: DocumentRow; trashed: DocumentRow[] }> {
  const { document, parent } = await lockWithFolders(scope, { id: ids[0] }, null);
  const references = ids.map((id) => ({ id }));
  const trashed = await lockRelated(scope, references, 'UPDATE', 'none');
  const isPath = trashed.every(({ id, parentId }, index) =>
    index === 0 ? id === document.id : parentId === trashed[index - 1]?.id,
  );
  if (!isPath || trashed.length < ids.length)
    throw new Conflict(`The document ${ids.at(-1)} was moved in the meantime. Try again.`);
  await requirePermissions(scope, [
    ...trashed.map((row) => [row, 'Remove'] as const),
    [parent, 'RemoveChildren'] as const,
  ]);
  return { parent, trashed };
}

/**
 * Restores a document from the trash under its former name, along with its subtree and its trashed ancestors. If a name
 * is taken, the time in milliseconds is appended to it. A document that is not trashed is left unchanged.
 * @throws NotFound, Forbidden, Invalid, Conflict, PreconditionFailed
 */
export async function untrashDocument(
  scope: Scope,
  reference: DocumentReference,
  conditions: Preconditions = {},
): Promise<DocumentRow> {
  const ids = await trashedPath(scope, reference);
  if (ids.length === 0) {
    const row = await lockDocument(scope, reference, { mode: 'SHARE', needs: 'Remove' });
    requirePreconditions(row, conditions);
    return row;
  }
  const { parent, trashed } = await lockTrashed(scope, ids);
  requirePreconditions(trashed.at(-1) as DocumentRow, conditions);
  const restored: DocumentRow[] = [];
  let renamed = 0;
  for (const row of trashed) {
    const above = restored.at(-1) ?? { ...parent, isTrashed: false };
    const here = { ...row, path: childPath(above.path, row.name), systemToken: row.systemToken + renamed };
    const name = untrashedName(row.name);
    if (name !== row.name) renamed += 1;
    const moved =
      name === row.name ? here : await relocate(scope, here, { parent: above, target: above, name });
    restored.push({ ...moved, isTrashed: false });
  }
  await unflag(scope, ids);
  const events = restored.map((document) => ({ eventId: 'documentUntrashed', document }) as const);
  const lowest = restored.at(-1) as DocumentRow;
  const last = lowest.isProxy ? lowest : withModification(scope, lowest);
  const document = { ...last, systemToken: last.systemToken + 1 };
  await saveDocument(scope, document, [...events.slice(0, -1), { eventId: 'documentUntrashed', document }]);
  return document;
}
