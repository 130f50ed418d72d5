import { statement } from '../../db/statement.ts';
import type { Check } from './check.ts';
import { checkDocuments, documentsOf, faultsQuery, findBy } from './document-slices.ts';
import { retained } from './tree.ts';

/**
 * SQL for the values that a version should have, computed from all versions of its live document. Version numbers
 * decide which version is the latest; times are used only if the numbers are equal.
 */
const expected = `
  v.repository, v.id, v.live_id, v.path, v.major_version, v.minor_version,
  v.is_latest_version, v.is_latest_major_version,
  row_number() OVER (PARTITION BY v.repository, v.live_id ORDER BY v.major_version DESC, v.minor_version DESC, v.version_created DESC, v.id DESC) = 1
    AS is_last,
  v.minor_version = 0 AND row_number() OVER (PARTITION BY v.repository, v.live_id, v.minor_version = 0
    ORDER BY v.major_version DESC, v.version_created DESC, v.id DESC) = 1 AS is_last_major,
  count(*) OVER (PARTITION BY v.repository, v.live_id, v.major_version, v.minor_version) > 1 AS is_twice,
  (v.parent_id IS NOT NULL OR (v.path, v.name, v.ancestor_ids) IS DISTINCT FROM (l.path, l.name, l.ancestor_ids || l.id))
    AS is_displaced`;

// Finds faults in three parts, because each part examines different rows of a slice. The first part takes the live
// documents of the slice and compares all of their versions with the expected values, so that the versions of a
// document are always checked together. The second part finds versions without a live document. The third part finds
// checked-in documents and proxies whose version is missing or wrong. Each row of VALUES is a kind of fault, and
// `is_so` tells whether the document has it.
const found = `
  SELECT fault.kind, v.repository, v.id, v.path, 'version ' || v.major_version || '.' || v.minor_version || fault.message
  FROM (
    SELECT ${expected} FROM slice s
    JOIN document l ON l.repository = s.repository AND l.id = s.id AND NOT l.is_version
    JOIN document v ON v.repository = l.repository AND v.live_id = l.id AND v.is_version
  ) v CROSS JOIN LATERAL (VALUES
    ('number', ' exists twice', v.is_twice),
    ('latest', ' has the wrong latest-version flag', v.is_latest_version <> v.is_last),
    ('latest-major', ' has the wrong latest-major-version flag', v.is_latest_major_version <> v.is_last_major),
    ('place', ' is not at the location of its live document', v.is_displaced)
  ) AS fault (kind, message, is_so) WHERE fault.is_so
  UNION ALL
  SELECT 'document', v.repository, v.id, v.path, 'is a version without a live document'
  FROM slice s JOIN document v ON v.repository = s.repository AND v.id = s.id AND v.is_version
  WHERE NOT EXISTS (
    SELECT FROM document l WHERE l.repository = v.repository AND l.id = v.live_id AND NOT l.is_version)
  UNION ALL
  SELECT fault.kind, d.repository, d.id, d.path, fault.message
  FROM slice s JOIN document d ON d.repository = s.repository AND d.id = s.id AND NOT d.is_version
  CROSS JOIN LATERAL (VALUES
    ('base', 'is checked in, but no version has its version number', NOT d.is_proxy AND NOT d.is_checked_out AND NOT EXISTS (
      SELECT FROM document v WHERE v.repository = d.repository AND v.id = d.base_version_id AND v.live_id = d.id
        AND v.is_version AND (v.major_version, v.minor_version) = (d.major_version, d.minor_version))),
    ('proxy', 'shows something that is not a version of its document', d.is_proxy AND d.target_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM document v WHERE v.repository = d.repository AND v.id = d.target_id AND v.live_id = d.live_id
        AND v.is_version))
  ) AS fault (kind, message, is_so) WHERE fault.is_so`;

const find = faultsQuery('check-versions', found);

// Moves versions to the location of their live documents.
const locationQuery = statement('repair-places-of-versions')`
  UPDATE document v
  SET parent_id = NULL, path = l.path, name = l.name, ancestor_ids = l.ancestor_ids || l.id,
    system_token = v.system_token + 1
  FROM unnest($1::text[], $2::uuid[]) AS faulty (repository, id), document l
  WHERE v.repository = faulty.repository AND v.id = faulty.id AND v.is_version AND NOT ${retained('v')}
    AND l.repository = v.repository AND l.id = v.live_id AND NOT l.is_version
    AND (v.parent_id IS NOT NULL OR (v.path, v.name, v.ancestor_ids) IS DISTINCT FROM (l.path, l.name, l.ancestor_ids || l.id))`;

// Marks the latest versions of live documents that have faulty versions.
const latestQuery = statement('repair-latest-versions')`
  WITH lives AS (
    SELECT DISTINCT v.repository, v.live_id FROM unnest($1::text[], $2::uuid[]) AS faulty (repository, id)
    JOIN document v ON v.repository = faulty.repository AND v.id = faulty.id AND v.is_version
  ), marked AS (
    SELECT ${expected} FROM lives
    JOIN document l ON l.repository = lives.repository AND l.id = lives.live_id
    JOIN document v ON v.repository = l.repository AND v.live_id = l.id AND v.is_version
  )
  UPDATE document v
  SET is_latest_version = m.is_last, is_latest_major_version = m.is_last_major, system_token = v.system_token + 1
  FROM marked m WHERE v.repository = m.repository AND v.id = m.id
    AND (v.is_latest_version, v.is_latest_major_version) IS DISTINCT FROM (m.is_last, m.is_last_major)`;

/**
 * Checks that versions are located where their live documents are, that their numbers are unique, and that the latest
 * ones are marked (§11).
 */
export const versionsCheck: Check = {
  name: 'versions',
  run: async (context) => {
    await checkDocuments(context, {
      find: findBy(find),
      repair: async (db, faults) => {
        await db.query(locationQuery, documentsOf(faults));
        await db.query(latestQuery, documentsOf(faults));
      },
    });
    return undefined;
  },
};
