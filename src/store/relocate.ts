import type { Query } from '../db/database.ts';
import { Conflict, Invalid } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { childPath, longestPath, namesLike } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { sortTitle } from './create-document.ts';
import { pointToAcls } from './point-to-acls.ts';

const freeQuery: Query = {
  name: 'free-name',
  text: `
    SELECT wished.name FROM unnest($4::text[]) WITH ORDINALITY AS wished (name, at)
    WHERE NOT EXISTS (
      SELECT FROM document d
      WHERE d.repository = $1 AND d.parent_id = $2::uuid AND d.name = wished.name AND d.id <> $3::uuid
    )
    ORDER BY wished.at LIMIT 1`,
};

/** The name, or one like it, that no other document of a folder has; the folder is held, so that it stays free. */
async function freeName({ db }: Scope, parent: DocumentRow, id: string, name: string): Promise<string> {
  const values = [parent.repository, parent.id, id, [...namesLike(name)]];
  const [free] = await db.query<{ name: string }>(freeQuery, values);
  if (!free) throw new Conflict(`"${name}" and names like it are taken`);
  return free.name;
}

/**
 * Gives a document and all below it, versions included, the place of the document: held from the top down as everybody
 * does. Whoever creates a document below holds its parent: those that were there before us are found by the next look,
 * still under the path that was.
 */
const relocateQuery: Query = {
  name: 'relocate',
  text: `
    WITH held AS MATERIALIZED (
      SELECT d.id FROM document d
      WHERE d.repository = $1 AND (d.id = $2::uuid OR d.ancestor_ids @> ARRAY[$2::uuid])
        AND (d.path = $3 OR starts_with(d.path, $3 || '/'))
      ORDER BY cardinality(d.ancestor_ids), d.id FOR NO KEY UPDATE
    ), moved AS (
      UPDATE document d SET
        parent_id = CASE WHEN d.id = $2 THEN $4::uuid ELSE d.parent_id END,
        name = CASE WHEN d.id = $2 OR (d.is_version AND d.live_id = $2) THEN $5 ELSE d.name END,
        title = CASE WHEN d.id = $2 THEN $10 ELSE d.title END,
        path = $6 || substr(d.path, length($3) + 1),
        ancestor_ids = $7::uuid[] || d.ancestor_ids[$8::int + 1:],
        is_trashed = CASE WHEN d.is_version THEN d.is_trashed ELSE coalesce($9::boolean, d.is_trashed) END,
        system_token = d.system_token + 1
      FROM held WHERE d.repository = $1 AND d.id = held.id
      RETURNING octet_length(d.path) AS bytes
    )
    SELECT count(*)::int AS count, coalesce(max(bytes), 0)::int AS longest FROM moved`,
};

/** Where a document is to be, and under which name. */
export interface Relocation {
  readonly parent: DocumentRow;
  readonly target: DocumentRow;
  readonly name: string;
  /** Whether it and all below it are in the trash then; as it is when absent. */
  readonly isTrashed?: boolean;
}

/**
 * Puts a document with all below it elsewhere, or under another name; when that is taken, milliseconds are put behind
 * it. The document, both folders and all above are held.
 * @throws Invalid when a path became too long.
 */
export async function relocate(
  scope: Scope,
  document: DocumentRow,
  { parent, target, name: wished, isTrashed }: Relocation,
): Promise<DocumentRow> {
  const { repository, id } = document;
  const name = await freeName(scope, target, id, wished);
  const path = childPath(target.path, name);
  const ancestorIds = [...target.ancestorIds, target.id];
  const title = sortTitle(name, document.properties);
  const values = [
    ...[repository, id, document.path, target.id, name, path],
    ...[ancestorIds, document.ancestorIds.length, isTrashed ?? (target.isTrashed ? true : null), title],
  ];
  for (let isDone = false; !isDone; ) {
    const [moved] = await scope.db.query<{ count: number; longest: number }>(relocateQuery, values);
    if ((moved?.longest ?? 0) > longestPath) {
      throw new Invalid(`a path would be longer than ${longestPath} bytes`);
    }
    isDone = !moved || moved.count === 0;
  }
  const isElsewhere = parent.aclId !== target.aclId;
  return {
    ...{ ...document, name, title, path, ancestorIds, parentId: target.id },
    isTrashed: isTrashed ?? (document.isTrashed || target.isTrashed),
    systemToken: document.systemToken + 1,
    aclId: isElsewhere ? await pointToAcls(scope.db, { repository, id }, true) : document.aclId,
  };
}
