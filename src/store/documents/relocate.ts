import { statement } from '../../db/statement.ts';
import { Conflict, Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { childPath, maxPathBytes, nameCandidates, sortTitle } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { assignEffectiveAcls } from '../acls/assign-effective-acls.ts';
import { topDown } from '../row-locks/lock-order.ts';

// Selects the first of the candidate names $4 that no other child of the folder has.
const freeQuery = statement('free-name', { name: 'text' })`
  SELECT candidate.name FROM unnest($4::text[]) WITH ORDINALITY AS candidate (name, at)
  WHERE NOT EXISTS (
    SELECT FROM document d
    WHERE d.repository = $1 AND d.parent_id = $2::uuid AND d.name = candidate.name AND d.id <> $3::uuid
  )
  ORDER BY candidate.at LIMIT 1`;

/**
 * Returns the requested name if it is free in the folder; otherwise, the name with the time in milliseconds appended.
 * The lock on the folder ensures that the name remains free.
 */
async function freeName({ db }: Scope, parent: DocumentRow, id: string, name: string): Promise<string> {
  const values = [parent.repository, parent.id, id, [...nameCandidates(name)]];
  const [free] = await db.query(freeQuery, values);
  if (!free) throw new Conflict(`The name "${name}" and its variants are taken. Choose another name.`);
  return free.name;
}

// Rewrites the paths and ancestors of a subtree, including its versions. `locked` locks the rows from the top down, in
// the same order as in all other transactions; `moved` changes them. The statement is repeated until it finds no row
// under the old path: a document that another transaction was creating in the subtree becomes visible only after the
// lock on its parent is released, and would otherwise keep the old path.
const relocateQuery = statement('relocate', { count: 'int4', longest: 'int4' })`
  WITH locked AS MATERIALIZED (
    SELECT d.id FROM document d
    WHERE d.repository = $1 AND (d.id = $2::uuid OR d.ancestor_ids @> ARRAY[$2::uuid])
      AND (d.path = $3 OR starts_with(d.path, $3 || '/'))
    ${topDown('NO KEY UPDATE')}
  ), moved AS (
    UPDATE document d SET
      parent_id = CASE WHEN d.id = $2 THEN $4::uuid ELSE d.parent_id END,
      name = CASE WHEN d.id = $2 OR (d.is_version AND d.live_id = $2) THEN $5 ELSE d.name END,
      title = CASE WHEN d.id = $2 THEN $10 ELSE d.title END,
      path = $6 || substr(d.path, length($3) + 1),
      ancestor_ids = $7::uuid[] || d.ancestor_ids[$8::int + 1:],
      is_trashed = CASE WHEN d.is_version THEN d.is_trashed ELSE coalesce($9::boolean, d.is_trashed) END,
      system_token = d.system_token + 1
    FROM locked WHERE d.repository = $1 AND d.id = locked.id
    RETURNING octet_length(d.path) AS bytes
  )
  SELECT count(*)::int AS count, coalesce(max(bytes), 0)::int AS longest FROM moved`;

interface Relocation {
  readonly parent: DocumentRow;
  readonly target: DocumentRow;
  readonly name: string;
  /** Whether the subtree is in the trash afterwards; unchanged when absent. */
  readonly isTrashed?: boolean;
}

/**
 * Moves or renames a subtree. If the name is taken, the time in milliseconds is appended to it. The caller must have
 * locked the document, both folders and their ancestors.
 * @throws Invalid if a path becomes too long
 */
export async function relocate(
  scope: Scope,
  document: DocumentRow,
  { parent, target, name: requested, isTrashed }: Relocation,
): Promise<DocumentRow> {
  const { repository, id } = document;
  const name = await freeName(scope, target, id, requested);
  const path = childPath(target.path, name);
  const ancestorIds = [...target.ancestorIds, target.id];
  const title = sortTitle(name, document.properties);
  const values = [
    repository,
    id,
    document.path,
    target.id,
    name,
    path,
    ancestorIds,
    document.ancestorIds.length,
    isTrashed ?? (target.isTrashed ? true : null),
    title,
  ];
  for (let isDone = false; !isDone; ) {
    const [moved] = await scope.db.query(relocateQuery, values);
    if ((moved?.longest ?? 0) > maxPathBytes) {
      throw new Invalid(`The path of a moved document would be longer than ${maxPathBytes} bytes.`);
    }
    isDone = !moved || moved.count === 0;
  }
  const isElsewhere = parent.aclId !== target.aclId;
  return {
    ...document,
    name,
    title,
    path,
    ancestorIds,
    parentId: target.id,
    isTrashed: isTrashed ?? (document.isTrashed || target.isTrashed),
    systemToken: document.systemToken + 1,
    aclId: isElsewhere
      ? await assignEffectiveAcls(scope.db, { repository, id }, { isHeld: true })
      : document.aclId,
  };
}
