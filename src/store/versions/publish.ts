import { DocumentNotFound, Invalid } from '../../errors.ts';
import { readPermissionFor } from '../../loaders/acls/access.ts';
import { type DocumentRow, documentStatement } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { facetsOf } from '../../model/facets-of.ts';
import { untrashedName } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { type Preconditions, requireMutable, requirePreconditions } from '../documents/mutability.ts';
import { lockDocuments } from '../row-locks/lock-documents.ts';
import { topDown } from '../row-locks/lock-order.ts';
import { addVersion } from './check-in.ts';
import { insertProxies, repointProxies } from './proxies.ts';
import { deleteProxies } from './unpublish.ts';
import { requireVersionable } from './versions.ts';

const liveQuery = documentStatement('live-document', 'WHERE d.repository = $1 AND d.id = $2::uuid');

/** The live document of a document, version or proxy, locked. */
async function liveOf({ db }: Scope, source: DocumentRow): Promise<DocumentRow> {
  if (source.liveId === null) return source;
  const [live] = await db.query<DocumentRow>(liveQuery, [source.repository, source.liveId]);
  if (!live) throw new DocumentNotFound(source.liveId);
  return live;
}

const proxiesQuery = documentStatement(
  'lock-proxies-in',
  `WHERE d.repository = $1 AND d.live_id = $2::uuid AND d.is_proxy AND d.parent_id = ANY($3::uuid[])
   ${topDown('UPDATE')}`,
);

/** @throws Invalid when documents cannot be published in it. */
function requireSection({ model }: Scope, section: DocumentRow): void {
  requireMutable(section, 'AddChildren');
  if (!facetsOf(model, section).includes('Folderish')) throw new Invalid(`${section.path} is no folder`);
}

/** The named version, the version of a proxy, or else the one that the document is checked in on. */
async function versionOf(scope: Scope, source: DocumentRow): Promise<string> {
  if (source.isVersion) return source.id;
  if (source.targetId !== null) return source.targetId;
  if (!source.isCheckedOut && source.baseVersionId !== null) return source.baseVersionId;
  return (await addVersion(scope, source, { increment: 'MINOR' })).version.id;
}

/** The proxies of a document in the sections: the oldest of each, and the surplus ones. */
async function proxiesIn(scope: Scope, liveId: string, sections: readonly DocumentRow[]) {
  const ids = sections.map(({ id }) => id);
  const rows = await scope.db.query<DocumentRow>(proxiesQuery, [scope.options.repository, liveId, ids]);
  const kept = rows.filter((row) => row === rows.find(({ parentId }) => parentId === row.parentId));
  return { kept, tooMany: rows.filter((row) => !kept.includes(row)) };
}

/**
 * Publishes a document in sections by a proxy in each; a checked-out document is checked in first (§11). A
 * version, or the version of a proxy, is published as it is.
 * @param override points existing proxies to the version instead of adding one.
 * @returns the proxies in the order of the sections.
 * @throws NotFound; Forbidden without Read on the document and AddChildren on each section; Invalid, PreconditionFailed.
 */
export async function publish(
  scope: Scope,
  reference: DocumentReference,
  targets: readonly DocumentReference[],
  override: boolean,
  conditions: Preconditions = {},
): Promise<DocumentRow[]> {
  if (targets.length === 0) throw new Invalid('target: names no section');
  const claims = targets.map((target) => ({ reference: target, needs: () => 'AddChildren' as const }));
  const rows = await lockDocuments(
    scope,
    [{ reference, needs: readPermissionFor }, ...claims],
    'NO KEY UPDATE',
  );
  const [source, ...found] = rows as [DocumentRow, ...DocumentRow[]];
  requirePreconditions(source, conditions);
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
  const shown = { versionId, name: untrashedName(live.name) };
  const proxies = [
    ...(await repointProxies(scope, versionId, kept)),
    ...(await insertProxies(scope, shown, without)),
  ];
  await recordEvents(scope, [
    ...proxies.map((document) => ({ eventId: 'documentProxyPublished', document }) as const),
    ...sections.map((document) => ({ eventId: 'sectionContentPublished', document }) as const),
  ]);
  return sections.flatMap(({ id }) => proxies.filter(({ parentId }) => parentId === id));
}
