import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { commentRootType } from '../../model/comments/comment-tree.ts';
import { type Ace, effectiveEntries, entriesId, type NamedAcl } from '../../security/acl.ts';
import type { DocumentPlace } from '../documents/document-place.ts';
import { topDown } from '../row-locks/lock-order.ts';

/**
 * A document whose effective ACL differs from that of its parent: one that has ACLs of its own, or a folder
 * of comments below a version.
 */
interface Holder {
  readonly id: string;
  readonly ancestorIds: readonly string[];
  readonly acls: readonly NamedAcl[];
  readonly isBelowVersion: boolean;
}

const subtree = 'd.repository = $1 AND (d.id = $2::uuid OR d.ancestor_ids @> ARRAY[$2::uuid])';

// The holders in a subtree, the highest ones first. `holder` collects their ids: documents that have ACLs of
// their own, and folders of comments below a version. The latter inherit from the version by a rule of their
// own (§4.7), so their effective ACL differs from that of their parent. The tables joined to it add what is
// needed to compute the effective ACLs.
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

// Inserts missing effective ACLs and locks all of them by updating `used_at`. The job that deletes unused
// effective ACLs waits for the row and then finds it used.
const storeQuery = statement('keep-effective-acls')`
  INSERT INTO effective_acl (repository, id, entries)
  SELECT $1, input.id, input.entries FROM unnest($2::uuid[], $3::jsonb[]) AS input (id, entries) ORDER BY input.id
  ON CONFLICT (repository, id) DO UPDATE SET used_at = now()`;

// SQL for the index, in $4, of the effective ACL of a document, which is that of its nearest holder. $3 maps
// the ids of holders to indexes. It is a JSON object, because PostgreSQL then looks up each ancestor by key;
// with a table, the planner would join it with all documents.
const placeOf = (document: string): string => `
  CROSS JOIN LATERAL (
    SELECT max(($3::jsonb ->> path.id::text)::int) AS at
    FROM unnest(${document}.ancestor_ids || ${document}.id) AS path (id)
  ) AS place`;

// Points the documents of a subtree to their effective ACLs. The documents are locked from the top down in
// the common order. `used_at` of the effective ACLs that they pointed to before is set to now, which starts
// their time until deletion. Rows that another transaction has locked are skipped instead of waited for: that
// transaction sets `used_at` itself.
const pointQuery = statement('point-to-acls')`
  WITH locked AS MATERIALIZED (
    SELECT d.id, d.ancestor_ids, d.acl_id FROM document d WHERE ${subtree}
    ${topDown('NO KEY UPDATE')}
  ), assigned AS (
    SELECT locked.id, locked.acl_id AS before, ($4::uuid[])[place.at] AS after FROM locked ${placeOf('locked')}
  ), pointed AS (
    UPDATE document d SET acl_id = assigned.after FROM assigned
    WHERE d.repository = $1 AND d.id = assigned.id AND assigned.before <> assigned.after
    RETURNING assigned.before
  )
  UPDATE effective_acl SET used_at = now() WHERE repository = $1 AND id IN (
    SELECT e.id FROM effective_acl e
    WHERE e.repository = $1 AND e.id IN (SELECT DISTINCT before FROM pointed) AND e.id <> ALL($4::uuid[])
    FOR NO KEY UPDATE SKIP LOCKED
  )`;

// Whether a document of a subtree points to another effective ACL than it should.
const unassignedQuery = statement('unassigned-acls', { isUnassigned: 'bool' })`
  SELECT EXISTS (
    SELECT FROM document d ${placeOf('d')} WHERE ${subtree} AND d.acl_id <> ($4::uuid[])[place.at]
  ) AS "isUnassigned"`;

/** Inserts effective ACLs by their ids, and keeps them from being deleted until the transaction ends. */
export const storeEffectiveAcls = (
  db: Pick<Client, 'query'>,
  repository: string,
  entries: ReadonlyMap<string, readonly Ace[]>,
): Promise<unknown> =>
  db.query(storeQuery, [
    repository,
    [...entries.keys()],
    [...entries.values()].map((list) => JSON.stringify(list)),
  ]);

/** The effective ACLs of the top document and of each holder, by the ids of these documents. */
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

/** Reads the holders of a subtree and computes their effective ACLs. */
async function plan(db: Client, { repository, id }: DocumentPlace): Promise<Map<string, readonly Ace[]>> {
  const [top] = await db.query(topQuery, [repository, id]);
  if (!top) throw new Error(`there is no document ${id} to assign an effective ACL to`);
  const holders = await db.query(holdersQuery, [repository, id]);
  const acls = holders.find((holder) => holder.id === id)?.acls ?? [];
  const below = holders.filter((holder) => holder.id !== id);
  return entriesOf({ ...top, id, acls }, below, top.above);
}

/**
 * Points a subtree to its effective ACLs, in one statement for any number of documents.
 *
 * A document that another transaction creates in the subtree meanwhile copies the reference of its parent,
 * which can be outdated. So the statement is repeated until no document is left: rows that were locked by
 * then admit no new children, so the repetition ends.
 * @param db a transaction that has locked the document and, against changes of their ACLs, its ancestors.
 * @param isHeld whether the whole subtree is locked, so that no document can have been created in it.
 * @returns the id of the effective ACL of the document itself.
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
      const [found] = await db.query(unassignedQuery, values);
      if (!found?.isUnassigned) return ids[0] ?? '';
    }
    const lists = new Map([...entries.values()].map((list, index) => [ids[index] ?? '', list]));
    await storeEffectiveAcls(db, repository, lists);
    await db.query(pointQuery, values);
    if (isHeld) return ids[0] ?? '';
  }
}
