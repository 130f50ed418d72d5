import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import { readPermissionFor } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { facetsOf } from '../../model/facets-of.ts';
import type { Scope } from '../../scope.ts';
import { ensureCollections, ensureFavorites, findFavorites } from '../authorities/user-workspaces.ts';
import { changeByServer } from '../documents/change-by-server.ts';
import { createDocument } from '../documents/create-document.ts';
import { requireNotRetained } from '../retention/retention.ts';
import { type LockRequest, lockDocuments } from '../row-locks/lock-documents.ts';

interface NewCollection {
  readonly name: string;
  readonly description?: string | undefined;
}

/**
 * Creates an empty collection, by default in the caller's user workspace.
 * @throws NotFound, Forbidden, Invalid, Conflict
 */
export async function createCollection(
  scope: Scope,
  parent: DocumentReference | null,
  { name, description }: NewCollection,
): Promise<DocumentRow> {
  const properties = { 'dc:title': name, 'dc:description': description ?? null };
  const place = parent ?? { id: (await ensureCollections(scope)).id };
  return createDocument(scope, place, { name, type: 'Collection', properties });
}

// Appends members in the order of the given ids, and returns the ids of the documents that were not members before.
const addQuery = statement('add-members', { id: 'uuid' })`
  INSERT INTO collection_member (repository, collection_id, member_id, position)
  SELECT $1, $2::uuid, added.id, last.position + added.at
  FROM unnest($3::uuid[]) WITH ORDINALITY AS added (id, at)
  CROSS JOIN (
    SELECT coalesce(max(position), 0) AS position FROM collection_member
    WHERE repository = $1 AND collection_id = $2::uuid
  ) last
  ON CONFLICT DO NOTHING RETURNING member_id AS id`;

const removeQuery = statement('remove-members', { id: 'uuid' })`
  DELETE FROM collection_member
  WHERE repository = $1 AND collection_id = $2::uuid AND member_id = ANY($3::uuid[])
  RETURNING member_id AS id`;

const needsChange: LockRequest['needs'] = () => 'WriteProperties';

/**
 * Checks that the document can be changed as a collection.
 * @throws Invalid if the document is not a collection, or if it is a version or proxy of one
 */
function requireCollection({ services: { model } }: Scope, row: DocumentRow): void {
  if (!facetsOf(model, row).includes('Collection')) throw new Invalid(`${row.id} is not a collection.`);
  if (row.isVersion || row.isProxy)
    throw new Invalid(`${row.id} is a version or proxy of a collection, which cannot be changed.`);
}

/**
 * Checks that the document can become a member.
 * @throws Invalid if the document cannot be a member of a collection
 */
function requireCollectable({ services: { model } }: Scope, row: DocumentRow): void {
  if (facetsOf(model, row).includes('NotCollectionMember')) {
    throw new Invalid(`Documents of type ${row.type} cannot be in a collection.`);
  }
}

/**
 * Locks a collection and the documents to be added to it or removed from it.
 * @throws NotFound, Forbidden, Invalid
 */
async function lockCollection(
  scope: Scope,
  collection: DocumentReference,
  members: readonly DocumentReference[],
): Promise<{ collection: DocumentRow; members: DocumentRow[] }> {
  const requests = members.map((reference) => ({ reference, needs: readPermissionFor }));
  const [first, ...others] = await lockDocuments(
    scope,
    [{ reference: collection, needs: needsChange }, ...requests],
    'NO KEY UPDATE',
  );
  const row = first as DocumentRow;
  requireCollection(scope, row);
  requireNotRetained(row);
  return { collection: row, members: others };
}

/** The facet of every document that is, or was, in a collection. */
export const memberFacet = 'CollectionMember';

// Adds or removes members, and increases the change tokens of the collection and of the affected members. Documents
// that are already members are left unchanged.
async function change(
  scope: Scope,
  { collection, members }: { collection: DocumentRow; members: readonly DocumentRow[] },
  eventId: 'addedToCollection' | 'removedFromCollection',
): Promise<DocumentRow[]> {
  const ids = [...new Set(members.map(({ id }) => id))];
  const query = eventId === 'addedToCollection' ? addQuery : removeQuery;
  const values = [collection.repository, collection.id, ids];
  const changed = new Set((await scope.db.query(query, values)).map(({ id }) => id));
  if (changed.size === 0) return [...members];
  const touched = [...new Set(members)].filter(({ id }) => changed.has(id));
  const changes = touched.map((row) => ({ row, facets: [...new Set([...row.facets, memberFacet])] }));
  const [, ...rows] = await changeByServer(scope, [{ row: collection }, ...changes], ([, ...documents]) =>
    documents.map((document) => ({ eventId, document, extended: { collection: collection.id } })),
  );
  const now = new Map(rows.map((row) => [row.id, row]));
  return members.map((row) => now.get(row.id) ?? row);
}

/**
 * Appends documents to a collection. Documents that are already members keep their position.
 * @returns the documents in the order of the references
 * @throws NotFound, Forbidden; Invalid if a document cannot be a member, or the collection is not one
 */
export async function addToCollection(
  scope: Scope,
  collection: DocumentReference,
  members: readonly DocumentReference[],
): Promise<DocumentRow[]> {
  const locked = await lockCollection(scope, collection, members);
  for (const row of locked.members) requireCollectable(scope, row);
  return change(scope, locked, 'addedToCollection');
}

/**
 * Removes documents from a collection.
 * @returns the documents in the order of the references
 * @throws NotFound, Forbidden, Invalid
 */
export async function removeFromCollection(
  scope: Scope,
  collection: DocumentReference,
  members: readonly DocumentReference[],
): Promise<DocumentRow[]> {
  return change(scope, await lockCollection(scope, collection, members), 'removedFromCollection');
}

/** Adds documents to the caller's favorites. @throws NotFound, Forbidden, Invalid, Conflict */
export async function addToFavorites(
  scope: Scope,
  members: readonly DocumentReference[],
): Promise<DocumentRow[]> {
  return addToCollection(scope, { id: (await ensureFavorites(scope)).id }, members);
}

/** Removes documents from the caller's favorites. @throws NotFound, Forbidden */
export async function removeFromFavorites(
  scope: Scope,
  members: readonly DocumentReference[],
): Promise<DocumentRow[]> {
  const known = await findFavorites(scope);
  if (known) return removeFromCollection(scope, { id: known.id }, members);
  const requests = members.map((reference) => ({ reference, needs: readPermissionFor }));
  return lockDocuments(scope, requests, 'KEY SHARE');
}

/**
 * Moves the member $3 to the position after $4, or to the first position if $4 is null. `place` contains the positions
 * of $3 and $4. The members between these two positions are shifted by one; no other rows are written.
 */
const moveQuery = statement('move-member', { count: 'int4' })`
  WITH place AS (
    SELECT one.position AS old, coalesce(two.position, 0) AS behind FROM collection_member one
    LEFT JOIN collection_member two
      ON two.repository = one.repository AND two.collection_id = one.collection_id AND two.member_id = $4::uuid
    WHERE one.repository = $1 AND one.collection_id = $2::uuid AND one.member_id = $3::uuid
      AND ($4::uuid IS NULL OR two.member_id IS NOT NULL)
  ), moved AS (
    UPDATE collection_member m SET position = CASE
      WHEN m.member_id <> $3::uuid THEN m.position + sign(place.old - place.behind)::int
      WHEN place.old > place.behind THEN place.behind + 1
      ELSE place.behind
    END
    FROM place WHERE m.repository = $1 AND m.collection_id = $2::uuid
      AND m.position BETWEEN least(place.behind + 1, place.old) AND greatest(place.behind, place.old)
    RETURNING m.member_id
  )
  SELECT count(*)::int AS count FROM moved`;

/**
 * Moves a member to the position directly after another one, or to the first position.
 * @returns false if nothing was moved, for example because one of the two is not a member
 * @throws NotFound, Forbidden, Invalid
 */
export async function moveMember(
  scope: Scope,
  reference: DocumentReference,
  { member, behind }: { member: DocumentReference; behind: DocumentReference | undefined },
): Promise<boolean> {
  const members = [member, ...(behind ? [behind] : [])];
  const { collection, members: locked } = await lockCollection(scope, reference, members);
  const [one, two] = locked;
  const values = [collection.repository, collection.id, one?.id, two?.id ?? null];
  const [moved] = await scope.db.query(moveQuery, values);
  if (!moved || moved.count < 2) return false;
  await changeByServer(scope, [{ row: collection }]);
  return true;
}
