import type { Query } from '../db/database.ts';
import { Conflict, Forbidden, NotFound } from '../errors.ts';
import { type DocumentRow, documentColumns, isUuid } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { addressOf, type DocumentReference, requireLive, requireMutable } from './lock-document.ts';

/** A document, the folder that it is in, and the one that it is to be in. */
export interface Places {
  readonly document: DocumentRow;
  readonly parent: DocumentRow;
  readonly target: DocumentRow;
}

/**
 * How the document and the target are held; what is above them keeps its place and its ACLs meanwhile. Whoever moves
 * waits until nobody else holds places: rows are held by their depth, which is to stay what it is until all are held.
 */
type Hold = 'SHARE' | 'UPDATE';

/** Who moves documents of a repository, and who holds places there for something else. */
const turns = {
  alone: { name: 'turn-to-move', text: 'SELECT pg_advisory_xact_lock(hashtext($1), 1)' },
  together: { name: 'turn-to-hold', text: 'SELECT pg_advisory_xact_lock_shared(hashtext($1), 1)' },
} as const satisfies Record<string, Query>;

const named = `
  d.repository = $1 AND (d.id = ANY($2::uuid[]) OR (d.path = ANY($3::text[]) AND NOT d.is_version))`;

/** One part of the rows on the way, held after another part has been. */
const part = (name: string, condition: string, hold: string, after?: string): string => `
  ${name} AS MATERIALIZED (
    SELECT ${documentColumns} FROM way JOIN document d ON d.repository = $1 AND d.id = way.id
    WHERE ${condition} ${after ? `AND (SELECT count(*) FROM ${after}) >= 0` : ''}
    ORDER BY way.depth, way.id FOR ${hold} OF d
  )`;

/**
 * Holds the documents named, with $4 the folder of each too, and all above them, from the top down whichever of them is
 * the highest: as everybody takes rows in this order, nobody waits in a circle.
 */
const holdQuery = (hold: Hold): Query => ({
  name: `hold-places-${hold}`,
  text: `
    WITH ends AS MATERIALIZED (
      SELECT d.id FROM document d WHERE ${named}
      UNION SELECT d.parent_id FROM document d WHERE $4::boolean AND d.parent_id IS NOT NULL AND ${named}
    ), way AS MATERIALIZED (
      SELECT w.id, cardinality(w.ancestor_ids) AS depth FROM document w
      WHERE w.repository = $1 AND w.id IN (
        SELECT unnest(d.ancestor_ids || d.id) FROM ends JOIN document d ON d.repository = $1 AND d.id = ends.id
      )
    ), higher AS (
      SELECT way.depth, way.id FROM way JOIN ends ON ends.id = way.id ORDER BY way.depth, way.id LIMIT 1
    ),
    ${part('above', '(way.depth, way.id) < (SELECT depth, id FROM higher)', 'KEY SHARE')},
    ${part('one', 'way.id = (SELECT id FROM higher)', hold, 'above')},
    ${part('between', 'way.id NOT IN (SELECT id FROM ends) AND (way.depth, way.id) > (SELECT depth, id FROM higher)', 'KEY SHARE', 'one')},
    ${part('other', 'way.id IN (SELECT id FROM ends) AND way.id <> (SELECT id FROM higher)', hold, 'between')}
    SELECT * FROM above UNION ALL SELECT * FROM one UNION ALL SELECT * FROM between UNION ALL SELECT * FROM other`,
});

const queries: Readonly<Record<Hold, Query>> = { SHARE: holdQuery('SHARE'), UPDATE: holdQuery('UPDATE') };

/**
 * Reads and holds a document and a folder, until the transaction ends: neither is moved or deleted meanwhile, nor
 * anything above them, and no ACLs above them change.
 * @param target null for the folder that the document is in.
 * @throws NotFound; Forbidden for the root; Invalid for versions; Conflict when the target is the document itself or
 * below it.
 */
export async function holdPlaces(
  { db, options }: Scope,
  reference: DocumentReference,
  target: DocumentReference | null,
  hold: Hold,
): Promise<Places> {
  const addresses = (target ? [reference, target] : [reference]).map(addressOf);
  const values = (wanted: 'id' | 'path') =>
    addresses.filter(({ by }) => by === wanted).map(({ value }) => value);
  const paths = values('path').filter((path) => !path.includes('\0'));
  const { repository } = options;
  await db.query(target && hold === 'UPDATE' ? turns.alone : turns.together, [repository]);
  const names = [values('id').filter(isUuid), paths];
  const rows = await db.query<DocumentRow>(queries[hold], [repository, ...names, target === null]);
  const [document, into] = addresses.map(({ by, value }) => {
    const row = rows.find((each) => each[by] === value && (by === 'id' || !each.isVersion));
    if (!row) throw new NotFound(value);
    return row;
  });
  return placesOf(rows, document as DocumentRow, into);
}

function placesOf(
  held: readonly DocumentRow[],
  document: DocumentRow,
  into: DocumentRow | undefined,
): Places {
  requireLive(document);
  const parent = held.find(({ id }) => id === document.parentId);
  if (!parent) throw new Forbidden('the root of a repository stays where it is');
  const target = into ?? parent;
  requireMutable(target, 'AddChildren');
  if ([...target.ancestorIds, target.id].includes(document.id)) {
    throw new Conflict(`${document.id} cannot be put into itself`);
  }
  return { document, parent, target };
}
