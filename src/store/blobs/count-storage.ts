import { statement } from '../../db/statement.ts';
import { storageJob } from '../../loaders/blobs/storage.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';

/** The maximum number of workspaces and of duplicated files in a report. */
const maxListed = 20;

/** The maximum number of documents that are named for a duplicated file. */
const maxNamed = 5;

// Versions and published copies share the files of their documents, so they are not duplicates. The length is in the
// properties of the documents, which are read once for all parts of the report.
const find = statement('storage', {
  kind: 'text',
  key: 'text?',
  title: 'text?',
  files: 'int4',
  bytes: 'float8',
  documents: 'uuid[]?',
})`
  WITH file AS MATERIALIZED (
    SELECT d.id, d.title, d.type, d.ancestor_ids, d.is_version OR d.is_proxy AS is_copy, b.digest,
      coalesce((d.properties #>> (string_to_array(b.xpath, '/') || ARRAY['length']))::float8, 0) AS length
    FROM document_blob b JOIN document d ON d.repository = b.repository AND d.id = b.document_id
    WHERE b.repository = $1
  ), workspace AS (
    SELECT id, title FROM document
    WHERE repository = $1 AND type = 'Workspace' AND NOT is_version AND NOT is_proxy
  )
  SELECT 'all' AS kind, NULL AS key, NULL AS title, count(*)::int4 AS files,
    coalesce(sum(length), 0)::float8 AS bytes, NULL::uuid[] AS documents
  FROM (SELECT DISTINCT digest, length FROM file) f
  UNION ALL
  SELECT 'type', type, NULL, count(*)::int4, sum(length), NULL
  FROM (SELECT DISTINCT type, digest, length FROM file) f GROUP BY type
  UNION ALL
  (SELECT 'workspace', id::text, title, count(*)::int4, sum(length) AS size, NULL
  FROM (
    SELECT DISTINCT w.id, w.title, f.digest, f.length
    FROM file f CROSS JOIN LATERAL unnest(f.ancestor_ids) AS a (id) JOIN workspace w ON w.id = a.id
  ) f GROUP BY id, title ORDER BY size DESC LIMIT ${maxListed})
  UNION ALL
  (SELECT 'duplicate', digest, min(title), count(DISTINCT id)::int4, max(length),
    (array_agg(DISTINCT id))[1:${maxNamed}]
  FROM file WHERE NOT is_copy GROUP BY digest HAVING count(DISTINCT id) > 1
  ORDER BY (count(DISTINCT id) - 1) * max(length) DESC LIMIT ${maxListed})`;

/**
 * Counts the files of all documents of a repository, by document type and by workspace, finds the files that several
 * documents contain, and stores the result. It reads every document with a file, so the duration grows with their
 * number.
 */
export async function countStorage(
  { database }: Pick<Services, 'database'>,
  repository: string,
): Promise<void> {
  const parts = [...(await database.query(find, [repository]))];
  const report = { parts, countedAt: new Date() };
  await database.prisma.storageReport.upsert({
    where: { repository },
    create: { repository, ...report },
    update: report,
  });
}

const makeDue = statement('count-storage-now')`
  UPDATE job SET attempts = 0, run_at = clock_timestamp() WHERE once = $1 AND state = 'waiting'`;

/** Makes the job that counts the files run as soon as possible, unless it is running. */
export async function requestStorageCount({ db }: Pick<Scope, 'db'>): Promise<void> {
  await db.query(makeDue, [storageJob]);
  await db.announce('jobs');
}
