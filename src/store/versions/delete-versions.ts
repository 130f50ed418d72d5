import { statement } from '../../db/statement.ts';
import { Forbidden } from '../../errors.ts';
import { type DocumentRow, versionLabel } from '../../loaders/documents/document-row.ts';
import type { Scope } from '../../scope.ts';
import { withAudit, writeAudited } from '../audit/audit.ts';
import { endMembershipsSql } from '../collections/end-memberships.ts';

/** A version and its live document. */
interface VersionWithLive {
  readonly live: DocumentRow;
  readonly version: DocumentRow;
}

const newestFirst = 'd.major_version DESC, d.minor_version DESC, d.version_created DESC, d.id DESC';

/**
 * Marks the new latest versions of documents whose versions `$3` are about to be deleted. The version number decides
 * which version is the latest, because the clocks of servers differ.
 */
const markQuery = statement('mark-latest-versions')`
  WITH latest AS (
    SELECT
      (array_agg(d.id ORDER BY ${newestFirst}))[1] AS id,
      (array_agg(d.id ORDER BY ${newestFirst}) FILTER (WHERE d.minor_version = 0))[1] AS major_id
    FROM document d
    WHERE d.repository = $1 AND d.live_id = ANY($2::uuid[]) AND d.is_version AND d.id <> ALL($3::uuid[])
    GROUP BY d.live_id
  )
  UPDATE document d
  SET is_latest_version = d.id = latest.id, is_latest_major_version = d.id IS NOT DISTINCT FROM latest.major_id,
    system_token = d.system_token + 1
  FROM latest WHERE d.repository = $1 AND d.id IN (latest.id, latest.major_id)
    AND (d.is_latest_version, d.is_latest_major_version)
      IS DISTINCT FROM (d.id = latest.id, d.id IS NOT DISTINCT FROM latest.major_id)`;

const deleteQuery = withAudit(
  statement('delete-versions')`
    DELETE FROM document WHERE repository = $1 AND id = ANY($2::uuid[]) RETURNING id`,
  'all',
  endMembershipsSql('d.id = ANY($2::uuid[])'),
);

/**
 * Permanently deletes locked versions (§11).
 * @throws Forbidden if a proxy shows one of them, or if the live document is currently checked in at one of them
 */
export async function deleteVersions(scope: Scope, versions: readonly VersionWithLive[]): Promise<void> {
  const base = versions.find(({ live, version }) => live.baseVersionId === version.id && !live.isCheckedOut);
  if (base)
    throw new Forbidden(
      `The version ${base.version.id} cannot be deleted, because its document is checked in at this version.`,
    );
  const { repository } = scope.options;
  const ids = versions.map(({ version }) => version.id);
  const proxy = await scope.db.prisma.document.findFirst({
    where: { repository, targetId: { in: ids } },
    select: { id: true, targetId: true },
  });
  if (proxy)
    throw new Forbidden(
      `The version ${proxy.targetId} cannot be deleted, because the proxy ${proxy.id} shows it.`,
    );
  const latest = versions.filter(({ version }) => version.isLatestVersion || version.isLatestMajorVersion);
  if (latest.length > 0) {
    await scope.db.query(markQuery, [repository, latest.map(({ live }) => live.id), ids]);
  }
  const removed = versions.map(({ live, version }) => ({
    eventId: 'versionRemoved' as const,
    document: live,
    comment: versionLabel(version),
  }));
  await writeAudited(scope, deleteQuery, [repository, ids], removed);
}
