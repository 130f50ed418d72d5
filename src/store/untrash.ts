import type { Query } from '../db/database.ts';
import { Conflict } from '../errors.ts';
import { requirePermissions } from '../loaders/access.ts';
import { type DocumentRow, documentQuery } from '../loaders/document-row.ts';
import { childPath, isUuid, nameBeforeTrash } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { touched } from './dublin-core.ts';
import { holdPlaces } from './hold-places.ts';
import { addressOf, type DocumentReference, lockDocument } from './lock-document.ts';
import { relocate } from './relocate.ts';
import { saveDocument } from './write-document.ts';

const trashedQuery: Query = {
  name: 'trashed-way',
  text: `
    SELECT a.id FROM document d
    JOIN document a ON a.repository = d.repository AND a.id = ANY(d.ancestor_ids || d.id) AND a.is_trashed
    WHERE d.repository = $1 AND (d.id = ANY($2::uuid[]) OR (d.path = ANY($3::text[]) AND NOT d.is_version))
    ORDER BY cardinality(a.ancestor_ids)`,
};

/** The ids of what is in the trash from the top down to a document, itself included. */
async function trashedWay({ db, options }: Scope, reference: DocumentReference): Promise<string[]> {
  const { by, value } = addressOf(reference);
  const ids = by === 'id' && isUuid(value) ? [value] : [];
  const paths = by === 'path' && !value.includes('\0') ? [value] : [];
  const rows = await db.query<{ id: string }>(trashedQuery, [options.repository, ids, paths]);
  return rows.map(({ id }) => id);
}

const holdQuery = documentQuery(
  'hold-way',
  'WHERE d.repository = $1 AND d.id = ANY($2::uuid[]) ORDER BY cardinality(d.ancestor_ids), d.id FOR UPDATE',
);

/** Takes the flag from documents and from all below the last of them. */
const flagQuery: Query = {
  name: 'untrash',
  text: `
    WITH held AS MATERIALIZED (
      SELECT d.id FROM document d
      WHERE d.repository = $1 AND d.is_trashed AND (d.id = ANY($2::uuid[]) OR d.ancestor_ids @> ARRAY[$3::uuid])
      ORDER BY cardinality(d.ancestor_ids), d.id FOR NO KEY UPDATE
    ), restored AS (
      UPDATE document d SET is_trashed = false, system_token = d.system_token + 1
      FROM held WHERE d.repository = $1 AND d.id = held.id RETURNING d.id
    )
    SELECT count(*)::int AS count FROM restored`,
};

/** Until nothing is left: what was created below before it was held is found by the next look. */
async function unflag({ db, options }: Scope, way: readonly string[]): Promise<void> {
  for (let left = 1; left > 0; ) {
    const values = [options.repository, way, way.at(-1)];
    left = (await db.query<{ count: number }>(flagQuery, values))[0]?.count ?? 0;
  }
}

/** Holds the documents from the topmost one in the trash down, and the folder that that is in. */
async function holdWay(
  scope: Scope,
  ids: readonly string[],
): Promise<{ parent: DocumentRow; way: DocumentRow[] }> {
  const { document, parent } = await holdPlaces(scope, { id: ids[0] }, null, 'UPDATE');
  const way = await scope.db.query<DocumentRow>(holdQuery, [scope.options.repository, ids]);
  const isWay = way.every(({ id, parentId }, index) =>
    index === 0 ? id === document.id : parentId === way[index - 1]?.id,
  );
  if (!isWay || way.length < ids.length) throw new Conflict(`${ids.at(-1)} was moved meanwhile`);
  await requirePermissions(scope, [
    ...way.map((row) => [row, 'Remove'] as const),
    [parent, 'RemoveChildren'] as const,
  ]);
  return { parent, way };
}

/**
 * Takes a document out of the trash, with all below it and with what is above it there: under the names that they had,
 * or with milliseconds behind when those are taken. One that is not in the trash stays as it is.
 * @throws NotFound, Forbidden, Invalid, Conflict
 */
export async function untrashDocument(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const ids = await trashedWay(scope, reference);
  if (ids.length === 0) return lockDocument(scope, reference, { hold: 'SHARE', needs: 'Remove' });
  const { parent, way } = await holdWay(scope, ids);
  const restored: DocumentRow[] = [];
  let renamed = 0;
  for (const row of way) {
    const above = restored.at(-1) ?? { ...parent, isTrashed: false };
    const here = { ...row, path: childPath(above.path, row.name), systemToken: row.systemToken + renamed };
    const name = nameBeforeTrash(row.name);
    if (name !== row.name) renamed += 1;
    const moved =
      name === row.name ? here : await relocate(scope, here, { parent: above, target: above, name });
    restored.push({ ...moved, isTrashed: false });
  }
  await unflag(scope, ids);
  const events = restored.map((document) => ({ eventId: 'documentUntrashed', document }));
  const last = touched(scope, restored.at(-1) as DocumentRow);
  const document = { ...last, systemToken: last.systemToken + 1 };
  await saveDocument(scope, document, [...events.slice(0, -1), { eventId: 'documentUntrashed', document }]);
  return document;
}
