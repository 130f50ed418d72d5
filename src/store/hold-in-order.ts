import type { Query } from '../db/database.ts';
import { NotFound } from '../errors.ts';
import { type DocumentRow, documentColumns } from '../loaders/document-row.ts';
import { isUuid } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { affectedBy } from './end-memberships.ts';
import { addressOf, type DocumentReference } from './lock-document.ts';

type Hold = 'SHARE' | 'UPDATE' | 'DELETE';

/** What is held of documents, until the transaction ends, before anything is done with the first of them. */
export interface Holding {
  /**
   * How they are held: SHARE where they only stay as they are; UPDATE, the default, for whatever may be done with them;
   * DELETE with all that their going changes besides, below them and at the other ends of memberships.
   */
  readonly hold?: Hold;
  /** Other documents that are held like them. */
  readonly besides?: readonly DocumentReference[];
  /** Whether the folder of each is held like it; of what is below trash, all from the topmost one's folder down. */
  readonly withFolders?: boolean;
  /** Whether they go to other folders: then nobody else holds documents in order meanwhile. */
  readonly isMove?: boolean;
}

/** Rows that are held. */
export interface HeldInOrder {
  /** In the order of the references. */
  readonly documents: readonly DocumentRow[];
  readonly besides: readonly DocumentRow[];
  /** These and all above them, by id. */
  readonly way: ReadonlyMap<string, DocumentRow>;
}

/** Who moves documents of a repository, and who holds some for something else. */
const turns = {
  alone: { name: 'turn-to-move', text: 'SELECT pg_advisory_xact_lock(hashtext($1), 1)' },
  together: { name: 'turn-to-hold', text: 'SELECT pg_advisory_xact_lock_shared(hashtext($1), 1)' },
} as const satisfies Record<string, Query>;

const isNamedOrBelow = `d.id = ANY(ARRAY(
  SELECT id FROM named UNION ALL
  SELECT b.id FROM named CROSS JOIN LATERAL (
    SELECT b.id FROM document b WHERE b.repository = $1 AND b.ancestor_ids @> ARRAY[named.id] OFFSET 0
  ) b
))`;

/** What more is held where documents go, and that it is not told of. */
const going = {
  tables: `${affectedBy(isNamedOrBelow)},`,
  ids: 'UNION ALL SELECT id FROM affected',
  shown: 'WHERE id IN (SELECT id FROM told)',
};
const staying: typeof going = { tables: '', ids: '', shown: '' };

/**
 * Holds the documents named (with versions and proxies their live documents, with $4 folders too) and, in key-share
 * mode, all above them, one after the other from the top down: as everybody takes rows in this order, nobody waits in a
 * circle. A row on the way comes with the last one at or before it that is named, which is locked first: that is held
 * already, or the row itself, which so is never held in the weaker mode alone.
 */
const holdQuery = (hold: Hold, mode: 'SHARE' | 'UPDATE', { tables, ids, shown } = staying): Query => ({
  name: `hold-in-order-${hold}`,
  text: `
    WITH named AS MATERIALIZED (
      SELECT d.id, d.parent_id, d.live_id, d.ancestor_ids FROM document d
      WHERE d.repository = $1 AND (d.id = ANY($2::uuid[]) OR (d.path = ANY($3::text[]) AND NOT d.is_version))
    ), ends AS MATERIALIZED (
      SELECT id FROM named
      UNION SELECT live_id FROM named WHERE live_id IS NOT NULL
      UNION SELECT parent_id FROM named WHERE $4::boolean AND parent_id IS NOT NULL
      UNION SELECT unnest(ARRAY[t.id, t.parent_id]) FROM named
        JOIN document t ON t.repository = $1 AND t.id = ANY(named.ancestor_ids) AND t.is_trashed WHERE $4::boolean
    ), told AS MATERIALIZED (
      SELECT unnest(d.ancestor_ids || d.id) AS id FROM ends JOIN document d ON d.repository = $1 AND d.id = ends.id
    ), ${tables} way AS MATERIALIZED (
      SELECT w.id, row_number() OVER (ORDER BY cardinality(w.ancestor_ids), w.id) AS place,
        w.id IN (SELECT id FROM ends ${ids}) AS is_end
      FROM document w WHERE w.repository = $1 AND w.id IN (SELECT id FROM told ${ids})
    ), marked AS MATERIALIZED (
      SELECT id, place, max(place) FILTER (WHERE is_end) OVER (ORDER BY place) AS held_with FROM way
    ), above AS MATERIALIZED (
      SELECT ${documentColumns} FROM marked JOIN document d ON d.repository = $1 AND d.id = marked.id
      WHERE marked.held_with IS NULL
      ORDER BY marked.place FOR KEY SHARE OF d
    ), others AS MATERIALIZED (
      SELECT ${documentColumns} FROM marked JOIN marked e ON e.place = marked.held_with
      JOIN document held ON held.repository = $1 AND held.id = e.id
      JOIN document d ON d.repository = $1 AND d.id = marked.id
      WHERE (SELECT count(*) FROM above) >= 0
      ORDER BY marked.place FOR ${mode} OF held FOR KEY SHARE OF d
    )
    SELECT * FROM (SELECT * FROM above UNION ALL SELECT * FROM others) held ${shown}`,
});

const queries: Readonly<Record<Hold, Query>> = {
  SHARE: holdQuery('SHARE', 'SHARE'),
  UPDATE: holdQuery('UPDATE', 'UPDATE'),
  DELETE: holdQuery('DELETE', 'UPDATE', going),
};

/**
 * Reads and holds any number of documents in one statement, whatever the caller may do with them: until the transaction
 * ends, none of them is moved or deleted, nor anything above them, and no ACLs above them change. Whoever moves waits
 * until nobody else does this: rows are held by their depth, which is to stay what it is until all are held.
 * @throws NotFound
 */
export async function holdInOrder(
  { db, options: { repository } }: Scope,
  references: readonly DocumentReference[],
  { hold = 'UPDATE', besides = [], withFolders = false, isMove = false }: Holding = {},
): Promise<HeldInOrder> {
  const addresses = [...references, ...besides].map(addressOf);
  const values = (wanted: 'id' | 'path') =>
    addresses.filter(({ by }) => by === wanted).map(({ value }) => value);
  const [ids, paths] = [values('id').filter(isUuid), values('path').filter((path) => !path.includes('\0'))];
  await db.query(isMove ? turns.alone : turns.together, [repository]);
  const rows = await db.query<DocumentRow>(queries[hold], [repository, ids, paths, withFolders]);
  const way = new Map(rows.map((row) => [row.id, row]));
  const byPath = new Map(rows.filter(({ isVersion }) => !isVersion).map((row) => [row.path, row]));
  const found = addresses.map(({ by, value }) => {
    const row = (by === 'id' ? way : byPath).get(value);
    if (!row) throw new NotFound(value);
    return row;
  });
  return { documents: found.slice(0, references.length), besides: found.slice(references.length), way };
}
