import { Invalid, NotFound } from '../errors.ts';
import { toRead } from '../loaders/access.ts';
import { type DocumentRow, documentQuery } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { Scope } from '../scope.ts';
import { record } from './audit.ts';
import { addVersion } from './check-in.ts';
import { type DocumentReference, requireMutable } from './lock-document.ts';
import { lockDocuments } from './lock-documents.ts';
import { insertProxies, repointProxies } from './proxies.ts';
import { deleteProxies } from './unpublish.ts';
import { requireVersionable } from './versions.ts';

const liveQuery = documentQuery('live-document', 'WHERE d.repository = $1 AND d.id = $2::uuid');

/** The document that is published, which is held: the one that is named, or that a version or proxy is of. */
async function liveOf({ db }: Scope, source: DocumentRow): Promise<DocumentRow> {
  if (source.liveId === null) return source;
  const [live] = await db.query<DocumentRow>(liveQuery, [source.repository, source.liveId]);
  if (!live) throw new NotFound(source.liveId);
  return live;
}

const proxiesQuery = documentQuery(
  'hold-proxies-in',
  `WHERE d.repository = $1 AND d.live_id = $2::uuid AND d.is_proxy AND d.parent_id = ANY($3::uuid[])
   ORDER BY cardinality(d.ancestor_ids), d.id FOR UPDATE`,
);

/** @throws Invalid when it is nothing that can be published in. */
function requireSection({ model }: Scope, section: DocumentRow): void {
  requireMutable(section, 'AddChildren');
  if (!facetsOf(model, section).includes('Folderish')) throw new Invalid(`${section.path} is no folder`);
}

/** The version that is published: the one that is named or shown, else what the document is checked in on. */
async function versionOf(scope: Scope, source: DocumentRow): Promise<string> {
  if (source.isVersion) return source.id;
  if (source.targetId !== null) return source.targetId;
  if (!source.isCheckedOut && source.baseVersionId !== null) return source.baseVersionId;
  return (await addVersion(scope, source, { increment: 'MINOR' })).version.id;
}

/** The proxies that a document has in some sections: the first made of each, and those that are too many. */
async function proxiesIn(scope: Scope, liveId: string, sections: readonly DocumentRow[]) {
  const ids = sections.map(({ id }) => id);
  const rows = await scope.db.query<DocumentRow>(proxiesQuery, [scope.options.repository, liveId, ids]);
  const kept = rows.filter((row) => row === rows.find(({ parentId }) => parentId === row.parentId));
  return { kept, tooMany: rows.filter((row) => !kept.includes(row)) };
}

/**
 * Publishes a document in sections: what it is becomes a version, unless it is checked in, and a proxy in each of them
 * shows it (§11). A version, and what a proxy shows, is published as it is.
 * @param override whether the proxies that the document has there show the version from now on, instead of one more.
 * @returns the proxies, in the order of the sections.
 * @throws NotFound; Forbidden without Read on the document and AddChildren on each section; Invalid.
 */
export async function publish(
  scope: Scope,
  reference: DocumentReference,
  targets: readonly DocumentReference[],
  override: boolean,
): Promise<DocumentRow[]> {
  if (targets.length === 0) throw new Invalid('target: names no section');
  const claims = targets.map((target) => ({ reference: target, needs: () => 'AddChildren' as const }));
  const rows = await lockDocuments(scope, [{ reference, needs: toRead }, ...claims], 'NO KEY UPDATE');
  const [source, ...found] = rows as [DocumentRow, ...DocumentRow[]];
  const sections = [...new Set(found)];
  for (const section of sections) requireSection(scope, section);
  const live = await liveOf(scope, source);
  requireVersionable(scope, live);
  if (!facetsOf(scope.model, live).includes('Publishable'))
    throw new Invalid(`a ${live.type} cannot be published`);

  const versionId = await versionOf(scope, source);
  const there = override ? await proxiesIn(scope, live.id, sections) : { kept: [], tooMany: [] };
  await deleteProxies(scope, there.tooMany);
  const without = sections.filter(({ id }) => !there.kept.some(({ parentId }) => parentId === id));
  const kept = there.kept.map(({ id }) => id);
  const shown = { versionId, name: live.name };
  const proxies = [
    ...(await repointProxies(scope, versionId, kept)),
    ...(await insertProxies(scope, shown, without)),
  ];
  await record(scope, [
    ...proxies.map((document) => ({ eventId: 'documentProxyPublished', document })),
    ...sections.map((document) => ({ eventId: 'sectionContentPublished', document })),
  ]);
  return sections.flatMap(({ id }) => proxies.filter(({ parentId }) => parentId === id));
}
