import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { commentRootType } from '../../model/comments/comment-tree.ts';
import { type Ace, effectiveEntries, entriesId, type NamedAcl } from '../../security/acl.ts';
import type { DocumentPlace } from '../documents/document-place.ts';
import { topDown } from '../row-locks/lock-order.ts';

interface Holder {
  readonly id: string;
  readonly ancestorIds: readonly string[];
  readonly acls: readonly NamedAcl[];
  readonly isBelowVersion: boolean;
}

const subtree = 'd.repository = $1 AND (d.id = $2::uuid OR d.ancestor_ids @> ARRAY[$2::uuid])';

const holdersQuery = statement('acl-holders', {
  ...modelColumns('Document', 'id', 'ancestorIds'),
  acls: typed<NamedAcl[]>('jsonb'),
  isBelowVersion: 'bool',
})`
  SELECT d.id, d.ancestor_ids AS "ancestorIds", coalesce(a.acls, '[]') AS acls,
    coalesce(p.is_version, false) AS "isBelowVersion"
  FROM (
    SELECT a.document_id AS id FROM document_acl a JOIN document d ON d.repository = a.repository AND d.id = a.document_id
    WHERE ${subtree}
    UNION SELECT d.id FROM document d JOIN document p ON p.repository = d.repository AND p.id = d.parent_id
    WHERE ${subtree} AND d.type = '${commentRootType}' AND p.is_version
  ) holder
  JOIN document d ON d.repository = $1 AND d.id = holder.id
  LEFT JOIN document_acl a ON a.repository = d.repository AND a.document_id = d.id
  LEFT JOIN document p ON p.repository = d.repository AND p.id = d.parent_id
  ORDER BY cardinality(d.ancestor_ids), d.id`;

const topQuery = statement('acl-top', {
  ...modelColumns('Document', 'ancestorIds'),
  isBelowVersion: 'bool',
  above: typed<Ace[]>('jsonb'),
})`
  SELECT d.ancestor_ids AS "ancestorIds", coalesce(p.is_version, false) AS "isBelowVersion",
    coalesce(e.entries, '[]') AS above
  FROM document d
  LEFT JOIN document p ON p.repository = d.repository AND p.id = d.parent_id
  LEFT JOIN effective_acl e ON e.repository = p.repository AND e.id = p.acl_id
  WHERE d.repository = $1 AND d.id = $2::uuid`;

// Inserts missing effective ACLs and locks all of them: the job that deletes unused ones waits for the row.
const keepQuery = statement('keep-effective-acls')`
  INSERT INTO effective_acl (repository, id, entries)
  SELECT $1, kept.id, kept.entries FROM unnest($2::uuid[], $3::jsonb[]) AS kept (id, entries) ORDER BY kept.id
  ON CONFLICT (repository, id) DO UPDATE SET used_at = now()`;

// The index in $4 of a document's effective ACL, which is that of its nearest holder. $3 maps holders to
// indexes; it is a JSON object, since the planner does not turn a look-up in it into a join.
const placeOf = (document: string): string => `
  CROSS JOIN LATERAL (
    SELECT max(($3::jsonb ->> way.id::text)::int) AS at
    FROM unnest(${document}.ancestor_ids || ${document}.id) AS way (id)
  ) AS place`;

// Points a subtree to its effective ACLs, locking the rows from the top down. `used_at` of the former ones is
// set to now, without waiting: a transaction that has locked such a row is using it.
const pointQuery = statement('point-to-acls')`
  WITH locked AS MATERIALIZED (
    SELECT d.id, d.ancestor_ids, d.acl_id FROM document d WHERE ${subtree}
    ${topDown('NO KEY UPDATE')}
  ), wanted AS (
    SELECT locked.id, locked.acl_id AS before, ($4::uuid[])[place.at] AS after FROM locked ${placeOf('locked')}
  ), pointed AS (
    UPDATE document d SET acl_id = wanted.after FROM wanted
    WHERE d.repository = $1 AND d.id = wanted.id AND wanted.before <> wanted.after
    RETURNING wanted.before
  )
  UPDATE effective_acl SET used_at = now() WHERE repository = $1 AND id IN (
    SELECT e.id FROM effective_acl e
    WHERE e.repository = $1 AND e.id IN (SELECT DISTINCT before FROM pointed) AND e.id <> ALL($4::uuid[])
    FOR NO KEY UPDATE SKIP LOCKED
  )`;

const astrayQuery = statement('astray-from-acls', { isAstray: 'bool' })`
  SELECT EXISTS (
    SELECT FROM document d ${placeOf('d')} WHERE ${subtree} AND d.acl_id <> ($4::uuid[])[place.at]
  ) AS "isAstray"`;

/** Makes sure that effective ACLs are there until the transaction ends, by their ids. */
export const keepEffectiveAcls = (
  db: Pick<Client, 'query'>,
  repository: string,
  entries: ReadonlyMap<string, readonly Ace[]>,
): Promise<unknown> =>
  db.query(keepQuery, [
    repository,
    [...entries.keys()],
    [...entries.values()].map((list) => JSON.stringify(list)),
  ]);

/** The effective ACL of the top document and of each holder, the higher ones first. */
function entriesOf(
  top: Holder,
  below: readonly Holder[],
  above: readonly Ace[],
): Map<string, readonly Ace[]> {
  const entries = new Map([[top.id, effectiveEntries(top.acls, above, top.isBelowVersion)]]);
  for (const { id, ancestorIds, acls, isBelowVersion } of below) {
    const nearest = ancestorIds.findLast((ancestor) => entries.has(ancestor));
    entries.set(id, effectiveEntries(acls, entries.get(nearest ?? top.id) ?? [], isBelowVersion));
  }
  return entries;
}

async function plan(db: Client, { repository, id }: DocumentPlace): Promise<Map<string, readonly Ace[]>> {
  const [top] = await db.query(topQuery, [repository, id]);
  if (!top) throw new Error(`there is no document ${id} to point to ACLs`);
  const holders = await db.query(holdersQuery, [repository, id]);
  const acls = holders.find((holder) => holder.id === id)?.acls ?? [];
  const below = holders.filter((holder) => holder.id !== id);
  return entriesOf({ ...top, id, acls }, below, top.above);
}

/**
 * Points a subtree to its effective ACLs, in one statement for any number of documents. A document that
 * another transaction creates meanwhile copies the reference of its parent: the statement is repeated until
 * none is left, and locked parents admit no new children.
 * @param db a transaction that has locked the document and, against writers of ACLs, its ancestors.
 * @param isHeld true when the whole subtree is locked, so that no document can have been created.
 * @returns the effective ACL of the document itself.
 */
export async function assignEffectiveAcls(db: Client, place: DocumentPlace, isHeld = false): Promise<string> {
  const { repository, id } = place;
  await db.announce('acls');
  for (let isFirst = true; ; isFirst = false) {
    const entries = await plan(db, place);
    const ids = [...entries.values()].map(entriesId);
    const places = Object.fromEntries([...entries.keys()].map((holder, index) => [holder, index + 1]));
    const values = [repository, id, JSON.stringify(places), ids];
    if (!isFirst) {
      const [found] = await db.query(astrayQuery, values);
      if (!found?.isAstray) return ids[0] ?? '';
    }
    const kept = new Map([...entries.values()].map((list, index) => [ids[index] ?? '', list]));
    await keepEffectiveAcls(db, repository, kept);
    await db.query(pointQuery, values);
    if (isHeld) return ids[0] ?? '';
  }
}
