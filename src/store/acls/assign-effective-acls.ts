import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { commentRootType } from '../../model/comments/comment-tree.ts';
import { type Ace, effectiveEntries, entriesId, type NamedAcl } from '../../security/acl.ts';
import type { DocumentPlace } from '../documents/document-place.ts';
import { topDown } from '../row-locks/lock-order.ts';

/**
 * A document whose effective ACL differs from that of its parent: either a document with its own ACLs, or the folder
 * for comments on a version.
 */
interface Holder {
  readonly id: string;
  /** The id of the effective ACL that the document currently points to. */
  readonly aclId: string;
  readonly ancestorIds: readonly string[];
  readonly acls: readonly NamedAcl[];
  readonly isBelowVersion: boolean;
}

const subtree = 'd.repository = $1 AND (d.id = $2::uuid OR d.ancestor_ids @> ARRAY[$2::uuid])';

// Selects the documents in a subtree whose effective ACL differs from that of their parent, highest first. The subquery
// `holder` collects their ids: documents with their own ACLs, and the folders for comments on versions. Such a folder
// inherits from the version under a special rule (§4.7). The tables joined to `holder` add the columns that are needed
// to compute the effective ACLs.
const holdersQuery = statement('acl-holders', {
  ...modelColumns('Document', 'id', 'ancestorIds', 'aclId'),
  acls: typed<NamedAcl[]>('jsonb'),
  isBelowVersion: 'bool',
})`
  SELECT d.id, d.ancestor_ids AS "ancestorIds", d.acl_id AS "aclId", coalesce(a.acls, '[]') AS acls,
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
  ...modelColumns('Document', 'ancestorIds', 'aclId'),
  isBelowVersion: 'bool',
  above: typed<Ace[]>('jsonb'),
})`
  SELECT d.ancestor_ids AS "ancestorIds", d.acl_id AS "aclId", coalesce(p.is_version, false) AS "isBelowVersion",
    coalesce(e.entries, '[]') AS above
  FROM document d
  LEFT JOIN document p ON p.repository = d.repository AND p.id = d.parent_id
  LEFT JOIN effective_acl e ON e.repository = p.repository AND e.id = p.acl_id
  WHERE d.repository = $1 AND d.id = $2::uuid`;

// Inserts missing effective ACLs and locks all of them by updating `used_at`. The job that deletes unused effective
// ACLs waits for the row lock and then finds that the ACL is in use.
const storeQuery = statement('keep-effective-acls')`
  INSERT INTO effective_acl (repository, id, entries)
  SELECT $1, input.id, input.entries FROM unnest($2::uuid[], $3::jsonb[]) AS input (id, entries) ORDER BY input.id
  ON CONFLICT (repository, id) DO UPDATE SET used_at = now()`;

// SQL for the new effective ACL of a document. $5 maps current effective ACLs to new ones. If it does not contain the
// document's current ACL, the nearest ancestor in $3 determines the new one, which takes ten times as long to find; $3
// maps ids of documents to indexes in the array $4 of effective ACLs. Both maps are JSON objects, so that PostgreSQL
// looks up keys; if they were tables, the planner would join them with all documents.
const effectiveAclOf = (document: string): string => `
  coalesce(($5::jsonb ->> ${document}.acl_id::text)::uuid, ($4::uuid[])[(
    SELECT max(($3::jsonb ->> path.id::text)::int)
    FROM unnest(${document}.ancestor_ids || ${document}.id) AS path (id)
  )])`;

// Points the documents of a subtree to their effective ACLs. The documents are locked from the top down, in the same
// order as everywhere else. The UPDATE finds each row by the physical address (ctid) at which it was locked, because
// the planner would read the whole table to find the rows by id. The UPDATE can miss a row that another transaction has
// changed since the statement began; the statement is repeated to find such rows. `used_at` of the effective ACLs that
// the documents pointed to before is set to now, which starts the period after which they can be deleted. ACL rows that
// another transaction has locked are skipped, because that transaction sets `used_at` itself.
const pointQuery = statement('point-to-acls')`
  WITH locked AS MATERIALIZED (
    SELECT d.acl_id, d.ctid AS place FROM document d WHERE ${subtree} ${topDown('NO KEY UPDATE')}
  ), pointed AS (
    UPDATE document d SET acl_id = ${effectiveAclOf('d')}
    WHERE d.ctid = ANY(ARRAY(SELECT place FROM locked)) AND d.acl_id <> ${effectiveAclOf('d')}
  )
  UPDATE effective_acl SET used_at = now() WHERE repository = $1 AND id IN (
    SELECT e.id FROM effective_acl e
    WHERE e.repository = $1 AND e.id IN (SELECT DISTINCT acl_id FROM locked) AND e.id <> ALL($4::uuid[])
    FOR NO KEY UPDATE SKIP LOCKED
  )`;

// Whether any document in a subtree points to the wrong effective ACL.
const unassignedQuery = statement('unassigned-acls', { isUnassigned: 'bool' })`
  SELECT EXISTS (
    SELECT FROM document d WHERE ${subtree} AND d.acl_id <> ${effectiveAclOf('d')}
  ) AS "isUnassigned"`;

/** Inserts effective ACLs under their ids, and keeps them from being deleted until the transaction ends. */
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

interface Plan {
  /**
   * The effective ACLs of the top document, and of each document below it that does not simply inherit its ACL, by id.
   */
  readonly entries: ReadonlyMap<string, readonly Ace[]>;
  /** The top document, and the documents below it whose effective ACL differs from that of their parent. */
  readonly holders: ReadonlyArray<Pick<Holder, 'id' | 'aclId'>>;
}

/** Reads the documents in a subtree that do not simply inherit their ACL, and computes their effective ACLs. */
async function plan(db: Client, { repository, id }: DocumentPlace): Promise<Plan> {
  const [top] = await db.query(topQuery, [repository, id]);
  if (!top) throw new Error(`there is no document ${id} to assign an effective ACL to`);
  const holders = await db.query(holdersQuery, [repository, id]);
  const acls = holders.find((holder) => holder.id === id)?.acls ?? [];
  const below = holders.filter((holder) => holder.id !== id);
  return {
    entries: entriesOf({ ...top, id, acls }, below, top.above),
    holders: [{ id, aclId: top.aclId }, ...below],
  };
}

/**
 * Maps the current effective ACLs of documents that do not simply inherit their ACL to the new ones. An ACL is omitted
 * if it would be replaced by different ACLs on different documents.
 */
function successors(
  holders: ReadonlyArray<Pick<Holder, 'id' | 'aclId'>>,
  idOf: ReadonlyMap<string, string>,
): Record<string, string> {
  const found = new Map<string, Set<string | undefined>>();
  for (const { id, aclId } of holders) found.set(aclId, (found.get(aclId) ?? new Set()).add(idOf.get(id)));
  return Object.fromEntries(
    [...found].flatMap(([aclId, [next, ...others]]) => (next && others.length === 0 ? [[aclId, next]] : [])),
  );
}

/**
 * Points the documents of a subtree to their effective ACLs, in one statement for any number of documents.
 *
 * Meanwhile, another transaction can create a document in the subtree. The new document copies its parent's reference,
 * which can be outdated. The statement is therefore repeated until every document points to the right ACL. The
 * repetitions come to an end, because no children can be added to rows that are already locked.
 * @param db a transaction that has locked the document and its ancestors, so that their ACLs do not change
 * @param isHeld whether the whole subtree is locked, so that no document can have been created in it
 * @param isFaulty whether documents may currently point to wrong effective ACLs
 * @returns the id of the effective ACL of the document itself
 */
export async function assignEffectiveAcls(
  db: Client,
  place: DocumentPlace,
  { isHeld = false, isFaulty = false } = {},
): Promise<string> {
  const { repository, id } = place;
  await db.announce('acls');
  const seen: Array<Plan['holders'][number]> = [];
  for (let isFirst = true; ; isFirst = false) {
    const { entries, holders } = await plan(db, place);
    const idOf = new Map([...entries].map(([holder, list]) => [holder, entriesId(list)]));
    const ids = [...idOf.values()];
    const places = Object.fromEntries([...idOf.keys()].map((holder, index) => [holder, index + 1]));
    // A document created during an earlier iteration may point to an ACL that was replaced in that iteration.
    seen.push(...holders);
    const following = isFaulty ? {} : successors(seen, idOf);
    const values = [repository, id, JSON.stringify(places), ids, JSON.stringify(following)];
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
