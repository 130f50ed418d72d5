import { v7 as uuid } from 'uuid';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid } from '../../errors.ts';
import { type DocumentRow, documentColumns } from '../../loaders/documents/document-row.ts';
import { relationFacets } from '../../model/facets-of.ts';
import { childPath, maxPathBytes, suffixedName } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { columnOf, copyColumns, type DocumentField } from '../documents/column-sql.ts';

// A proxy is a row below a section with a copy of its version's content: versions never change, so reads need
// no join (§11).

const own: Partial<Record<DocumentField, string>> = {
  id: 'p.id',
  parentId: 'p."parentId"',
  ancestorIds: 'ARRAY(SELECT jsonb_array_elements_text(p."ancestorIds")::uuid)',
  name: 'p.name',
  path: 'p.path',
  aclId: 'p."aclId"',
  isVersion: 'false',
  isProxy: 'true',
  isTrashed: 'p."isTrashed"',
  liveId: 'v.live_id',
  targetId: 'v.id',
  isLatestVersion: 'false',
  isLatestMajorVersion: 'false',
  versionCreated: 'NULL',
  versionComment: 'NULL',
  isRecord: 'false',
  retainUntil: 'NULL',
  hasLegalHold: 'false',
  systemToken: '0',
  userToken: '0',
};

const insertQuery = statement('insert-proxies')`
  INSERT INTO document AS d ${copyColumns('v', own)}
  FROM document v CROSS JOIN jsonb_to_recordset($3::jsonb) AS p (
    id uuid, "parentId" uuid, "ancestorIds" jsonb, name text, path text, "aclId" uuid, "isTrashed" boolean
  )
  WHERE v.repository = $1 AND v.id = $2::uuid
  ORDER BY p."parentId"
  ON CONFLICT DO NOTHING RETURNING ${documentColumns}`;

const shown = ['type', 'title', 'state', 'majorVersion', 'minorVersion', 'properties'] as const;

const repointQuery = statement('repoint-proxies')`
  UPDATE document d
  SET target_id = v.id, system_token = d.system_token + 1,
    facets = v.facets || ARRAY(SELECT unnest(d.facets) INTERSECT SELECT unnest($4::text[]) EXCEPT SELECT unnest(v.facets)),
    ${shown.map((field) => `${columnOf(field)} = v.${columnOf(field)}`).join(', ')}
  FROM document v
  WHERE v.repository = $1 AND v.id = $2::uuid AND d.repository = $1 AND d.id = ANY($3::uuid[])
  RETURNING ${documentColumns}`;

const copyBlobs = statement('copy-blobs')`
  INSERT INTO document_blob (repository, document_id, xpath, digest)
  SELECT b.repository, p.id, b.xpath, b.digest
  FROM document_blob b CROSS JOIN unnest($3::uuid[]) AS p (id)
  WHERE b.repository = $1 AND b.document_id = $2::uuid`;

const tries = 100;

/** Inserts a proxy into each of the locked sections; a taken name gets milliseconds. */
export async function insertProxies(
  { db, options }: Scope,
  { versionId, name }: { versionId: string; name: string },
  sections: readonly DocumentRow[],
): Promise<DocumentRow[]> {
  const made: DocumentRow[] = [];
  const now = Date.now();
  let left = sections;
  for (let attempt = 0; attempt < tries && left.length > 0; attempt += 1) {
    const free = attempt === 0 ? name : suffixedName(name, now + attempt - 1);
    const places = left.map(({ id, path, ancestorIds, aclId, isTrashed }) => ({
      id: uuid(),
      parentId: id,
      ancestorIds: [...ancestorIds, id],
      aclId,
      isTrashed,
      name: free,
      path: childPath(path, free),
    }));
    if (places.some(({ path }) => Buffer.byteLength(path) > maxPathBytes)) {
      throw new Invalid(`the path would be longer than ${maxPathBytes} bytes`);
    }
    const values = [options.repository, versionId, JSON.stringify(places)];
    made.push(...(await db.query<DocumentRow>(insertQuery, values)));
    left = sections.filter(({ id }) => !made.some(({ parentId }) => parentId === id));
  }
  if (left.length > 0) throw new Conflict(`"${name}" and ${tries - 1} names like it are taken`);
  if (made.length > 0) await db.query(copyBlobs, [options.repository, versionId, made.map(({ id }) => id)]);
  return made;
}

export async function repointProxies(
  { db, options: { repository } }: Scope,
  versionId: string,
  ids: string[],
): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  await db.prisma.documentBlob.deleteMany({ where: { repository, documentId: { in: ids } } });
  const rows = await db.query<DocumentRow>(repointQuery, [repository, versionId, ids, relationFacets]);
  await db.query(copyBlobs, [repository, versionId, ids]);
  return rows;
}
