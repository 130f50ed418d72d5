import type { Query } from '../db/database.ts';
import { Forbidden } from '../errors.ts';
import { type DocumentRow, versionLabel } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { recorded, write } from './audit.ts';
import { endMemberships } from './end-memberships.ts';

const proxyQuery: Query = {
  name: 'proxy-of-version',
  text: 'SELECT d.id FROM document d WHERE d.repository = $1 AND d.target_id = $2::uuid LIMIT 1',
};

/** Says which versions of a document are the latest ones without one of them. */
const markQuery: Query = {
  name: 'mark-latest-versions',
  text: `
    WITH latest AS (
      SELECT
        (array_agg(d.id ORDER BY d.version_created DESC, d.id DESC))[1] AS id,
        (array_agg(d.id ORDER BY d.version_created DESC, d.id DESC) FILTER (WHERE d.minor_version = 0))[1] AS major_id
      FROM document d
      WHERE d.repository = $1 AND d.live_id = $2::uuid AND d.is_version AND d.id <> $3::uuid
    )
    UPDATE document d
    SET is_latest_version = d.id = latest.id, is_latest_major_version = d.id IS NOT DISTINCT FROM latest.major_id,
      system_token = d.system_token + 1
    FROM latest WHERE d.repository = $1 AND d.id IN (latest.id, latest.major_id)
      AND (d.is_latest_version, d.is_latest_major_version)
        IS DISTINCT FROM (d.id = latest.id, d.id IS NOT DISTINCT FROM latest.major_id)`,
};

const deleteQuery = recorded(
  {
    name: 'delete-version',
    text: 'DELETE FROM document WHERE repository = $1 AND id = $2::uuid RETURNING id',
  },
  'all',
  endMemberships('d.id = $2::uuid'),
);

/**
 * Deletes a version, whose live document is held, for good (§11).
 * @throws Forbidden when a proxy shows it, or its document is checked in on it.
 */
export async function deleteVersion(scope: Scope, live: DocumentRow, version: DocumentRow): Promise<void> {
  const { repository, id } = version;
  if (live.baseVersionId === id && !live.isCheckedOut) {
    throw new Forbidden(`${id} cannot be deleted: its document is checked in on it`);
  }
  const [proxy] = await scope.db.query<{ id: string }>(proxyQuery, [repository, id]);
  if (proxy) throw new Forbidden(`${id} cannot be deleted: the proxy ${proxy.id} shows it`);
  const isLatest = version.isLatestVersion || version.isLatestMajorVersion;
  if (isLatest) await scope.db.query(markQuery, [repository, live.id, id]);
  const removed = { eventId: 'versionRemoved', document: live, comment: versionLabel(version) };
  await write(scope, deleteQuery, [repository, id], [removed]);
}
