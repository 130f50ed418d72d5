import type { Client, Query } from '../db/database.ts';
import { type Ace, type Acl, effectiveEntries, entriesId } from '../security/acl.ts';

/** A document that has ACLs of its own. */
interface Holder {
  readonly id: string;
  readonly ancestorIds: readonly string[];
  readonly acls: readonly Acl[];
}

interface Place {
  readonly repository: string;
  /** Of a document: it and all below it are meant. */
  readonly id: string;
}

const subtree = 'd.repository = $1 AND (d.id = $2::uuid OR d.ancestor_ids @> ARRAY[$2::uuid])';

const holdersQuery: Query = {
  name: 'acl-holders',
  text: `
    SELECT d.id, d.ancestor_ids AS "ancestorIds", a.acls
    FROM document d JOIN document_acl a ON a.repository = d.repository AND a.document_id = d.id
    WHERE ${subtree} ORDER BY cardinality(d.ancestor_ids), d.id`,
};

const topQuery: Query = {
  name: 'acl-top',
  text: `
    SELECT d.ancestor_ids AS "ancestorIds", e.entries AS above
    FROM document d
    LEFT JOIN document p ON p.repository = d.repository AND p.id = d.parent_id
    LEFT JOIN effective_acl e ON e.repository = p.repository AND e.id = p.acl_id
    WHERE d.repository = $1 AND d.id = $2::uuid`,
};

/** One row for one set of ACEs, however many documents point to it, and held until the transaction ends. */
const keepQuery: Query = {
  name: 'keep-effective-acls',
  text: `
    INSERT INTO effective_acl (repository, id, entries)
    SELECT $1, kept.id, kept.entries FROM unnest($2::uuid[], $3::jsonb[]) AS kept (id, entries) ORDER BY kept.id
    ON CONFLICT (repository, id) DO UPDATE SET used_at = now()`,
};

/**
 * Where in $4 the effective ACL of a document is: at the place of the nearest one with ACLs of its own. $3 says the
 * places by document, the higher ones first; an object, since the planner cannot take a look-up in it for a join.
 */
const placeOf = (document: string): string => `
  CROSS JOIN LATERAL (
    SELECT max(($3::jsonb ->> way.id::text)::int) AS at
    FROM unnest(${document}.ancestor_ids || ${document}.id) AS way (id)
  ) AS place`;

/**
 * Points a document and all below it to the effective ACLs that belong to them. All rows are held, from the top down
 * as everybody does. What they pointed to before counts as used up to now; whoever holds such a row uses it himself,
 * and is not waited for.
 */
const pointQuery: Query = {
  name: 'point-to-acls',
  text: `
    WITH held AS MATERIALIZED (
      SELECT d.id, d.ancestor_ids, d.acl_id FROM document d WHERE ${subtree}
      ORDER BY cardinality(d.ancestor_ids), d.id FOR NO KEY UPDATE
    ), wanted AS (
      SELECT held.id, held.acl_id AS before, ($4::uuid[])[place.at] AS after FROM held ${placeOf('held')}
    ), pointed AS (
      UPDATE document d SET acl_id = wanted.after FROM wanted
      WHERE d.repository = $1 AND d.id = wanted.id AND wanted.before <> wanted.after
      RETURNING wanted.before
    )
    UPDATE effective_acl SET used_at = now() WHERE repository = $1 AND id IN (
      SELECT e.id FROM effective_acl e
      WHERE e.repository = $1 AND e.id IN (SELECT DISTINCT before FROM pointed) AND e.id <> ALL($4::uuid[])
      FOR NO KEY UPDATE SKIP LOCKED
    )`,
};

/** Whether any of these documents points elsewhere. */
const astrayQuery: Query = {
  name: 'astray-from-acls',
  text: `
    SELECT EXISTS (
      SELECT FROM document d ${placeOf('d')} WHERE ${subtree} AND d.acl_id <> ($4::uuid[])[place.at]
    ) AS "isAstray"`,
};

/** What counts on each document that has ACLs of its own, and on the top one, the higher ones first. */
function entriesOf(
  top: Holder,
  below: readonly Holder[],
  above: readonly Ace[],
): Map<string, readonly Ace[]> {
  const entries = new Map([[top.id, effectiveEntries(top.acls, above)]]);
  for (const { id, ancestorIds, acls } of below) {
    const nearest = ancestorIds.findLast((ancestor) => entries.has(ancestor));
    entries.set(id, effectiveEntries(acls, entries.get(nearest ?? top.id) ?? []));
  }
  return entries;
}

/** The documents with ACLs of their own, the top one among them, and what counts on each. */
async function plan(db: Client, { repository, id }: Place): Promise<Map<string, readonly Ace[]>> {
  const [top] = await db.query<{ ancestorIds: string[]; above: Ace[] | null }>(topQuery, [repository, id]);
  if (!top) throw new Error(`there is no document ${id} to point to ACLs`);
  const holders = await db.query<Holder>(holdersQuery, [repository, id]);
  const acls = holders.find((holder) => holder.id === id)?.acls ?? [];
  const below = holders.filter((holder) => holder.id !== id);
  return entriesOf({ id, ancestorIds: top.ancestorIds, acls }, below, top.above ?? []);
}

/**
 * Makes a document and all below it point to the ACEs that count on them, in one statement for any number of them.
 * A document that was created meanwhile below one that was not held yet has copied what its parent pointed to: then
 * it is done again, and nobody creates below what was changed before we are done.
 * @param db a transaction that holds the document, with no other writer of ACLs above it.
 * @param isHeld whether it holds all below too: then nothing can have been created there.
 * @returns what the document itself points to.
 */
export async function pointToAcls(db: Client, place: Place, isHeld = false): Promise<string> {
  const { repository, id } = place;
  for (let isFirst = true; ; isFirst = false) {
    const entries = await plan(db, place);
    const ids = [...entries.values()].map(entriesId);
    const places = Object.fromEntries([...entries.keys()].map((holder, index) => [holder, index + 1]));
    const values = [repository, id, JSON.stringify(places), ids];
    if (!isFirst) {
      const [found] = await db.query<{ isAstray: boolean }>(astrayQuery, values);
      if (!found?.isAstray) return ids[0] ?? '';
    }
    const kept = new Map([...entries.values()].map((list, index) => [ids[index], JSON.stringify(list)]));
    await db.query(keepQuery, [repository, [...kept.keys()], [...kept.values()]]);
    await db.query(pointQuery, values);
    if (isHeld) return ids[0] ?? '';
  }
}
