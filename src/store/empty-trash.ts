import type { Query } from '../db/database.ts';
import { createAccess, requirePermission } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { Scope } from '../scope.ts';
import { isTraced, recordedEach, writeEach } from './audit.ts';
import { endMemberships, holdAllWithMemberships } from './end-memberships.ts';
import { type DocumentReference, findDocument, requireMutable } from './lock-document.ts';

const inTrash = 't.repository = $1 AND t.parent_id = $2::uuid AND t.is_trashed';

/** What decides of a document in the trash whether it goes, and whether that leaves a trace. */
type Kind = Pick<DocumentRow, 'aclId' | 'lockOwner' | 'type' | 'facets'>;

const kindsQuery: Query = {
  name: 'kinds-of-trashed',
  text: `
    SELECT DISTINCT t.acl_id AS "aclId", t.lock_owner AS "lockOwner", t.type, t.facets
    FROM document t WHERE ${inTrash}`,
};

/** The kinds, as the statements below are told of them. */
const kinds =
  'jsonb_to_recordset($3::jsonb) AS k ("aclId" uuid, "lockOwner" text, type text, facets text[], "isTraced" boolean)';

/** Documents directly in the trash, of these kinds, or what of each is joined to them. */
const trashed = (id: string, joined = ''): string => `
  SELECT ${id} FROM document t
  JOIN ${kinds} ON t.acl_id = k."aclId" AND t.lock_owner IS NOT DISTINCT FROM k."lockOwner"
    AND t.type = k.type AND t.facets = k.facets
  ${joined} WHERE ${inTrash}`;

/** What is below each of them is looked up by itself: an index is slow to look for thousands of ids at once. */
const below = `CROSS JOIN LATERAL (
    SELECT b.id FROM document b WHERE b.repository = $1 AND b.ancestor_ids @> ARRAY[t.id] OFFSET 0
  ) b`;
const isDoomed = `d.id = ANY(ARRAY(${trashed('t.id')} UNION ALL ${trashed('b.id', below)}))`;

const holdQuery = holdAllWithMemberships('hold-trash', isDoomed);

const deleteQuery = recordedEach(
  {
    name: 'empty-trash',
    text: `
      DELETE FROM document d WHERE d.repository = $1 AND ${isDoomed}
      RETURNING d.id, d.parent_id, d.path, d.type, d.state, d.facets, d.is_proxy`,
  },
  `SELECT w.id, w.path, w.type, w.state,
     CASE WHEN w.is_proxy THEN 'proxyRemoved' ELSE 'documentRemoved' END AS event_id
   FROM written w JOIN (SELECT DISTINCT k.type, k.facets FROM ${kinds} WHERE k."isTraced") traced
     ON traced.type = w.type AND traced.facets = w.facets
   WHERE w.parent_id = $2::uuid`,
  endMemberships(isDoomed, true),
);

/** The folder, if it can be emptied. @throws NotFound, Forbidden, Invalid */
async function emptiable(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const folder = await findDocument(scope, reference);
  await requirePermission(scope, folder, 'RemoveChildren');
  requireMutable(folder, 'RemoveChildren');
  return folder;
}

/**
 * Deletes for good what is in the trash directly in a folder, with everything below, as far as the caller may: without
 * reading it, in as many statements for any number.
 * @returns the folder.
 * @throws NotFound; Forbidden without RemoveChildren on the folder.
 */
export async function emptyTrash(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const folder = await emptiable(scope, reference);
  const found = await scope.db.query<Kind>(kindsQuery, [folder.repository, folder.id]);
  const access = createAccess(scope);
  const held = await Promise.all(found.map((kind) => access.held(kind)));
  const mine = found
    .filter((_, index) => held[index]?.includes('Remove'))
    .map((kind) => ({ ...kind, isTraced: isTraced(facetsOf(scope.model, kind)) }));
  if (mine.length === 0) return folder;
  const values = [folder.repository, folder.id, JSON.stringify(mine)];
  await scope.db.query(holdQuery, values);
  const now = await emptiable(scope, { id: folder.id }); // nobody is waited for any more
  await writeEach(scope, deleteQuery, values, [{ eventId: 'documentRemoved' }, { eventId: 'proxyRemoved' }]);
  return now;
}
