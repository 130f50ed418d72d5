import { type DocumentRow, documentStatement, versionLabel } from '../../loaders/documents/document-row.ts';
import type { Scope } from '../../scope.ts';
import { type AuditEvent, recordEvents } from '../audit/audit.ts';

/**
 * The log entry of a document that is published in a section, or is no longer published there. The entries of its
 * proxies do not appear in its own history.
 */
export const publicationEvent = (
  eventId: 'documentPublished' | 'documentUnpublished',
  live: DocumentRow,
  proxy: DocumentRow,
): AuditEvent => ({
  eventId,
  document: live,
  extended: { section: proxy.parentId, version: versionLabel(proxy) },
});

const livesQuery = documentStatement(
  'lives-of-proxies',
  'WHERE d.repository = $1 AND d.id = ANY($2::uuid[])',
);

/** Logs on documents that their proxies have been deleted. */
export async function recordUnpublished(scope: Scope, proxies: readonly DocumentRow[]): Promise<void> {
  if (proxies.length === 0) return;
  const ids = [...new Set(proxies.flatMap(({ liveId }) => liveId ?? []))];
  const lives = await scope.db.query(livesQuery, [scope.options.repository, ids]);
  const byId = new Map(lives.map((live) => [live.id, live]));
  await recordEvents(
    scope,
    proxies.flatMap((proxy) => {
      const live = byId.get(proxy.liveId ?? '');
      return live ? [publicationEvent('documentUnpublished', live, proxy)] : [];
    }),
  );
}
