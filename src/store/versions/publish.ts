import { v7 as uuid } from 'uuid';
import { statement } from '../../db/statement.ts';
import { Conflict, DocumentNotFound, Invalid } from '../../errors.ts';
import { readPermissionFor } from '../../loaders/acls/access.ts';
import {
  type DocumentRow,
  documentColumns,
  documentRow,
  documentStatement,
} from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { facetsOf, relationFacets } from '../../model/facets-of.ts';
import { childPath, maxPathBytes, suffixedName, untrashedName } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { columnOf, copyColumns, type DocumentField } from '../documents/column-sql.ts';
import { type Preconditions, requireMutable, requirePreconditions } from '../documents/mutability.ts';
import { lockDocuments } from '../row-locks/lock-documents.ts';
import { topDown } from '../row-locks/lock-order.ts';
import { addVersion } from './check-in.ts';
import { publicationEvent } from './publication-events.ts';
import { deleteProxies } from './unpublish.ts';
import { requireVersionable } from './versions.ts';

// A proxy is a row below a section that contains a copy of its version's content. Versions never change, so the copy
// never becomes outdated, and reads need no join (§11).

/** SQL expressions for the columns in which a proxy differs from its version `v`. */
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

const insertQuery = statement('insert-proxies', documentRow)`
  INSERT INTO document AS d ${copyColumns('v', own)}
  FROM document v CROSS JOIN jsonb_to_recordset($3::jsonb) AS p (
    id uuid, "parentId" uuid, "ancestorIds" jsonb, name text, path text, "aclId" uuid, "isTrashed" boolean
  )
  WHERE v.repository = $1 AND v.id = $2::uuid
  ORDER BY p."parentId"
  ON CONFLICT DO NOTHING RETURNING ${documentColumns}`;

/** The fields that a proxy copies from its version. */
const shown = ['type', 'title', 'state', 'majorVersion', 'minorVersion', 'properties'] as const;

const repointQuery = statement('repoint-proxies', documentRow)`
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

const maxNames = 100;

/**
 * Inserts a proxy into each of the locked sections. If the name is taken, the time in milliseconds is appended to it.
 */
async function insertProxies(
  { db, options }: Scope,
  { versionId, name }: { versionId: string; name: string },
  sections: readonly DocumentRow[],
): Promise<DocumentRow[]> {
  const made: DocumentRow[] = [];
  const now = Date.now();
  let left = sections;
  for (let attempt = 0; attempt < maxNames && left.length > 0; attempt += 1) {
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
      throw new Invalid(`The path of the proxy would be longer than ${maxPathBytes} bytes.`);
    }
    const values = [options.repository, versionId, JSON.stringify(places)];
    made.push(...(await db.query(insertQuery, values)));
    left = sections.filter(({ id }) => !made.some(({ parentId }) => parentId === id));
  }
  if (left.length > 0)
    throw new Conflict(
      `The name "${name}" and ${maxNames - 1} variants of it are taken. Choose another name.`,
    );
  if (made.length > 0) await db.query(copyBlobs, [options.repository, versionId, made.map(({ id }) => id)]);
  return made;
}

/** Makes existing proxies show another version. */
async function repointProxies(
  { db, options: { repository } }: Scope,
  versionId: string,
  ids: string[],
): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  await db.prisma.documentBlob.deleteMany({ where: { repository, documentId: { in: ids } } });
  const rows = await db.query(repointQuery, [repository, versionId, ids, relationFacets]);
  await db.query(copyBlobs, [repository, versionId, ids]);
  return rows;
}

/**
 * Returns the live document that a version or proxy belongs to; a live document is returned as it is. The caller has
 * already locked the live document.
 */
async function liveOf({ db }: Scope, source: DocumentRow): Promise<DocumentRow> {
  const { repository, liveId: id } = source;
  if (id === null) return source;
  const live = await db.prisma.document.findUnique({ where: { repository_id: { repository, id } } });
  if (!live) throw new DocumentNotFound(id);
  return live as DocumentRow;
}

const proxiesQuery = documentStatement(
  'lock-proxies-in',
  `WHERE d.repository = $1 AND d.live_id = $2::uuid AND d.is_proxy AND d.parent_id = ANY($3::uuid[])
   ${topDown('UPDATE')}`,
);

/**
 * Checks that documents can be published in the folder.
 * @throws Invalid if they cannot
 */
function requireSection({ services: { model } }: Scope, section: DocumentRow): void {
  requireMutable(section, 'AddChildren');
  if (!facetsOf(model, section).includes('Folderish')) throw new Invalid(`${section.path} is not a folder.`);
}

/**
 * The version to publish: the document itself if it is a version, the version that a proxy shows, the version at which
 * the document is checked in, or a new version.
 */
async function versionOf(scope: Scope, source: DocumentRow): Promise<string> {
  if (source.isVersion) return source.id;
  if (source.targetId !== null) return source.targetId;
  if (!source.isCheckedOut && source.baseVersionId !== null) return source.baseVersionId;
  return (await addVersion(scope, source, { increment: 'MINOR' })).version.id;
}

/** Returns the proxies of a document in the sections: the oldest one in each section, and any additional ones. */
async function proxiesIn(scope: Scope, liveId: string, sections: readonly DocumentRow[]) {
  const ids = sections.map(({ id }) => id);
  const rows = await scope.db.query(proxiesQuery, [scope.options.repository, liveId, ids]);
  const first = rows.filter((row) => row === rows.find(({ parentId }) => parentId === row.parentId));
  return { first, surplus: rows.filter((row) => !first.includes(row)) };
}

/**
 * Publishes a document in sections, creating a proxy in each. A checked-out document is checked in first (§11). If the
 * reference is to a version, or to a proxy of one, that version is published.
 * @param override makes existing proxies show the version instead of adding new ones
 * @returns the proxies in the order of the sections
 * @throws NotFound; Forbidden without Read on the document and AddChildren on each section; Invalid, PreconditionFailed
 */
export async function publish(
  scope: Scope,
  reference: DocumentReference,
  targets: readonly DocumentReference[],
  override: boolean,
  conditions: Preconditions = {},
): Promise<DocumentRow[]> {
  if (targets.length === 0) throw new Invalid('target: at least one section is required');
  const requests = targets.map((target) => ({ reference: target, needs: () => 'AddChildren' as const }));
  const rows = await lockDocuments(
    scope,
    [{ reference, needs: readPermissionFor }, ...requests],
    'NO KEY UPDATE',
  );
  const [source, ...found] = rows as [DocumentRow, ...DocumentRow[]];
  requirePreconditions(source, conditions);
  const sections = [...new Set(found)];
  for (const section of sections) requireSection(scope, section);
  const live = await liveOf(scope, source);
  requireVersionable(scope, live);
  if (!facetsOf(scope.services.model, live).includes('Publishable'))
    throw new Invalid(`Documents of type ${live.type} cannot be published.`);

  const versionId = await versionOf(scope, source);
  const existing = override ? await proxiesIn(scope, live.id, sections) : { first: [], surplus: [] };
  await deleteProxies(scope, existing.surplus);
  const without = sections.filter(({ id }) => !existing.first.some(({ parentId }) => parentId === id));
  const repointed = existing.first.map(({ id }) => id);
  const shown = { versionId, name: untrashedName(live.name) };
  const proxies = [
    ...(await repointProxies(scope, versionId, repointed)),
    ...(await insertProxies(scope, shown, without)),
  ];
  await recordEvents(scope, [
    ...proxies.map((document) => ({ eventId: 'documentProxyPublished', document }) as const),
    ...sections.map((document) => ({ eventId: 'sectionContentPublished', document }) as const),
    ...proxies.map((proxy) => publicationEvent('documentPublished', live, proxy)),
  ]);
  return sections.flatMap(({ id }) => proxies.filter(({ parentId }) => parentId === id));
}
