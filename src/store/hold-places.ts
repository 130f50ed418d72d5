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

/** How the document and the target are held; what is above them keeps its place and its ACLs meanwhile. */
type Hold = 'SHARE' | 'UPDATE';

const findQuery: Query = {
  name: 'find-places',
  text: `
    SELECT d.id, d.path, d.parent_id AS "parentId" FROM document d
    WHERE d.repository = $1 AND (d.id = ANY($2::uuid[]) OR (d.path = ANY($3::text[]) AND NOT d.is_version))`,
};

/** Where a document is. */
export type Found = Pick<DocumentRow, 'id' | 'path' | 'parentId'>;

/** The documents of some references, not held yet. @throws NotFound */
export async function findDocuments(
  { db, options }: Scope,
  references: readonly DocumentReference[],
): Promise<readonly Found[]> {
  const addresses = references.map(addressOf);
  const values = (wanted: 'id' | 'path') =>
    addresses.filter(({ by }) => by === wanted).map(({ value }) => value);
  const paths = values('path').filter((path) => !path.includes('\0'));
  const rows = await db.query<Found>(findQuery, [options.repository, values('id').filter(isUuid), paths]);
  return addresses.map(({ by, value }) => {
    const row = rows.find((each) => each[by] === value);
    if (!row) throw new NotFound(value);
    return row;
  });
}

/** One part of the rows on the way, held after another part has been. */
const part = (name: string, condition: string, hold: string, after?: string): string => `
  ${name} AS MATERIALIZED (
    SELECT ${documentColumns} FROM way JOIN document d ON d.repository = $1 AND d.id = way.id
    WHERE ${condition} ${after ? `AND (SELECT count(*) FROM ${after}) >= 0` : ''}
    ORDER BY way.depth, way.id FOR ${hold} OF d
  )`;

/**
 * Holds $2, $3 and all above them, from the top down whichever of the two is the higher one: as everybody takes rows in
 * this order, nobody waits in a circle.
 */
const holdQuery = (hold: Hold): Query => ({
  name: `hold-places-${hold}`,
  text: `
    WITH way AS MATERIALIZED (
      SELECT w.id, cardinality(w.ancestor_ids) AS depth FROM document w
      WHERE w.repository = $1 AND w.id IN (
        SELECT unnest(d.ancestor_ids || d.id) FROM document d
        WHERE d.repository = $1 AND d.id IN ($2::uuid, $3::uuid)
      )
    ), higher AS (
      SELECT way.depth, way.id FROM way WHERE way.id IN ($2, $3) ORDER BY way.depth, way.id LIMIT 1
    ),
    ${part('above', '(way.depth, way.id) < (SELECT depth, id FROM higher)', 'KEY SHARE')},
    ${part('one', 'way.id = (SELECT id FROM higher)', hold, 'above')},
    ${part('between', 'way.id NOT IN ($2, $3) AND (way.depth, way.id) > (SELECT depth, id FROM higher)', 'KEY SHARE', 'one')},
    ${part('other', 'way.id IN ($2, $3) AND way.id <> (SELECT id FROM higher)', hold, 'between')}
    SELECT * FROM above UNION ALL SELECT * FROM one UNION ALL SELECT * FROM between UNION ALL SELECT * FROM other`,
});

const queries: Readonly<Record<Hold, Query>> = { SHARE: holdQuery('SHARE'), UPDATE: holdQuery('UPDATE') };

/**
 * Reads and holds a document and a folder, until the transaction ends: neither is moved or deleted meanwhile, nor
 * anything above them, and no ACLs above them change.
 * @param target null for the folder that the document is in.
 * @throws NotFound; Forbidden for the root; Invalid for versions; Conflict when one of them is moved meanwhile, or the
 * target is the document itself or below it.
 */
export async function holdPlaces(
  scope: Scope,
  reference: DocumentReference,
  target: DocumentReference | null,
  hold: Hold,
): Promise<Places> {
  const [found, into] = await findDocuments(scope, target ? [reference, target] : [reference]);
  const ids = [found?.id ?? '', into?.id ?? found?.parentId ?? found?.id ?? ''];
  const rows = await scope.db.query<DocumentRow>(queries[hold], [scope.options.repository, ...ids]);
  const held = new Map(rows.map((row) => [row.id, row]));
  const [document, folder] = ids.map((id) => held.get(id));
  if (!document || !folder) throw new NotFound(ids.find((id) => !held.has(id)));
  return placesOf(held, document, folder);
}

function placesOf(
  held: ReadonlyMap<string, DocumentRow>,
  document: DocumentRow,
  target: DocumentRow,
): Places {
  requireLive(document);
  requireMutable(target, 'AddChildren');
  if (document.parentId === null) throw new Forbidden('the root of a repository stays where it is');
  const parent = held.get(document.parentId);
  if (!parent || ![...document.ancestorIds, ...target.ancestorIds].every((id) => held.has(id))) {
    throw new Conflict(`${document.id} or ${target.id} was moved meanwhile`);
  }
  if ([...target.ancestorIds, target.id].includes(document.id)) {
    throw new Conflict(`${document.id} cannot be put into itself`);
  }
  return { document, parent, target };
}
