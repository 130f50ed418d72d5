import { NIL } from 'uuid';
import { modelColumns } from '../../db/columns.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { statement } from '../../db/statement.ts';
import { Unavailable } from '../../errors.ts';
import { indexDocumentJob } from '../../loaders/queue/jobs.ts';
import type { DocumentPlace } from '../documents/document-place.ts';
import { lockIndexBuild } from '../row-locks/lock-index-build.ts';
import { askedFiles } from './file-words.ts';
import { addedChanges, indexColumns, writtenTables } from './search-changes.ts';

// The statements by which another index is built beside search_document. What is like in both, PostgreSQL
// copies, or has in its catalog: columns, statistics, settings and indexes, those of the model too.

/** The table that takes the place of search_document in the end. */
const next = 'search_document_next';

/** Changed documents of one transaction, for which the index waits meanwhile. */
export const changesOfCatchUp = 500;

export const isUnderWayQuery = statement('is-index-built', { isUnderWay: 'bool' })`
  SELECT to_regclass('${next}') IS NOT NULL AND EXISTS (SELECT FROM search_rebuild) AS "isUnderWay"`;

export const overtaken = () => new Unavailable('the language of the search index has changed: begin again');

/** In a transaction, it remains so. @throws Unavailable when the build is not under way any more */
export async function requireUnderWay(connection: ConnectionApart): Promise<void> {
  if (!(await lockIndexBuild(connection))) throw overtaken();
}

/** The SQL of settings that a copy of a table lacks. */
export const settingsQuery = statement('settings-of-search-index', { sql: 'text' })`
  SELECT format('ALTER TABLE ${next} ALTER %I SET STATISTICS %s', attname, attstattarget) AS sql
  FROM pg_attribute WHERE attrelid = 'search_document'::regclass AND attnum > 0 AND attstattarget >= 0
  UNION ALL
  SELECT format('ALTER TABLE ${next} SET (%s)', array_to_string(reloptions, ', '))
  FROM pg_class WHERE oid = 'search_document'::regclass AND reloptions IS NOT NULL`;

export const buildBeginning = [
  `DROP TABLE IF EXISTS ${next}`,
  `CREATE TABLE ${next} (LIKE search_document INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE)`,
  'DELETE FROM search_rebuild_change',
  'DELETE FROM search_rebuild',
  `INSERT INTO search_rebuild (repository, document_id) VALUES ('', '${NIL}')`,
].join(';');

/** Rows beyond the kept place: connections that lay at once are stopped at different places. */
export const goOnQuery = statement('go-on-with-next-index')`
  DELETE FROM ${next} n USING search_rebuild r WHERE (n.repository, n.id) > (r.repository, r.document_id)`;

export const placeQuery = statement('place-of-next-index', {
  ...modelColumns('SearchRebuild', 'repository'),
  id: 'uuid',
})`
  SELECT repository, document_id AS id FROM search_rebuild`;

export const nextDocumentsQuery = statement(
  'next-documents-of-index',
  modelColumns('Document', 'repository', 'id'),
)`
  SELECT repository, id FROM document WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT $3`;

export const sliceQuery = statement('slice-of-next-index', { count: 'int4', files: 'int4' })`
  WITH changed AS (SELECT * FROM unnest($2::text[], $3::uuid[]) AS c (repository, id)),
  written AS (
    INSERT INTO ${next} (${indexColumns.list})
    SELECT ${indexColumns.ofSource} FROM changed c JOIN search_source s ON s.repository = c.repository AND s.id = c.id
    RETURNING id
  ), ${askedFiles('$1')}
  SELECT (SELECT count(*)::int FROM written) AS count, (SELECT count(*)::int FROM asked_files) AS files`;

/** Keeps up to which document all rows are laid. */
export const keepPlaceQuery = statement('keep-place-of-next-index', { isUnderWay: 'bool' })`
  WITH kept AS (
    UPDATE search_rebuild SET repository = $1, document_id = $2::uuid
    WHERE (repository, document_id) < ($1, $2::uuid)
  )
  SELECT EXISTS (SELECT FROM search_rebuild) AS "isUnderWay"`;

/** Tells searches which rows no transaction has to look at. */
export const vacuum = `VACUUM ${next}`;

/** The largest first: it takes longest. */
export const indexesQuery = statement('indexes-of-search-index', {
  name: 'name',
  isPrimary: 'bool',
  using: 'text',
})`
  SELECT c.relname AS name, i.indisprimary AS "isPrimary", substr(d.sql, strpos(d.sql, ' USING ')) AS using
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
  CROSS JOIN pg_get_indexdef(i.indexrelid) AS d (sql)
  WHERE i.indrelid = 'search_document'::regclass AND i.indisvalid
  ORDER BY m.amname = 'gin' DESC, pg_relation_size(c.oid) DESC, c.relname`;

export interface IndexOfIndex {
  readonly name: string;
  readonly isPrimary: boolean;
  /** The end of its definition, which begins so. */
  readonly using: string;
}

const nextName = (nth: number): string => `${next}_${nth}`;

/** What PostgreSQL went on to make after a build was stopped. */
export const dropIndexes = `DO $$ DECLARE "name" TEXT; BEGIN
  FOR "name" IN SELECT indexrelid::regclass FROM pg_index WHERE indrelid = '${next}'::regclass LOOP
    EXECUTE 'DROP INDEX ' || "name";
  END LOOP;
END $$`;

/** @param memory in MB, where the server does not allow more. */
export const indexing = ({ isPrimary, using }: IndexOfIndex, nth: number, memory: number): string =>
  `SELECT set_config('maintenance_work_mem', setting, true) FROM (
     SELECT greatest(${memory} * 1024, setting::int)::text AS setting FROM pg_settings WHERE name = 'maintenance_work_mem') s;
   CREATE ${isPrimary ? 'UNIQUE ' : ''}INDEX ${nextName(nth)} ON ${next} ${using}`;

export const analysis = `ANALYZE ${next}`;

/** Documents that have changed since their rows were laid. */
export const changedQuery = statement('changes-of-next-index', {
  ...modelColumns('SearchRebuildChange', 'repository'),
  id: 'uuid',
})`
  SELECT repository, document_id AS id FROM search_rebuild_change LIMIT ${changesOfCatchUp}`;

const takenChanges = `DELETE FROM search_rebuild_change WHERE (repository, document_id) IN (
    SELECT repository, id FROM unnest($1::text[], $2::uuid[]) AS c (repository, id)
  ) RETURNING repository, document_id AS id`;

/** Writes the rows of such documents, in a transaction that has the lock of the index. */
export const catchUpQuery = statement('catch-up-next-index', { count: 'int4' })`
  WITH changed AS (${takenChanges}), ${writtenTables(next)}
  SELECT count(*)::int AS count FROM changed`;

/** Takes such documents without writing their rows. */
export const takeChangesQuery = statement('take-changes-of-next-index')`${takenChanges}`;

const ofKeys = '(n.repository, n.id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))';

export const leaveOutQuery = statement('leave-out-of-next-index')`DELETE FROM ${next} n WHERE ${ofKeys}`;

// Where an index cannot be made, a table with the same index shows which rows are the cause.

/** Makes that table, for one connection. */
export const sieve = ({ using }: IndexOfIndex): string =>
  `DROP TABLE IF EXISTS pg_temp.search_sieve;
   CREATE TEMP TABLE search_sieve (LIKE ${next} INCLUDING GENERATED); CREATE INDEX ON search_sieve ${using}`;

export const emptySieve = 'TRUNCATE search_sieve';

export const laidQuery = statement(
  'laid-documents-of-index',
  modelColumns('SearchDocument', 'repository', 'id'),
)`
  SELECT repository, id FROM ${next} WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT $3`;

export const sieveQuery = statement('sift-next-index')`
  INSERT INTO search_sieve (${indexColumns.list}) SELECT ${indexColumns.list} FROM ${next} n WHERE ${ofKeys}`;

/** What \`catchUpQuery\` and \`sliceQuery\` take. */
export const keysOf = (places: readonly DocumentPlace[]): [string[], string[]] => [
  places.map(({ repository }) => repository),
  places.map(({ id }) => id),
];

export const viewQuery = statement('view-of-search-index', {
  sql: 'text',
})`SELECT pg_get_viewdef('searchable'::regclass) AS sql`;

/** Puts the next index in the place of search_document; nothing is noted any more. */
export const swap = (view: string, indexes: readonly IndexOfIndex[]): string =>
  [
    `CREATE OR REPLACE VIEW searchable AS ${view.replace(/\bsearch_document\b/g, next)}`.replace(/;\s*$/, ''),
    'DROP TABLE search_document',
    `ALTER TABLE ${next} RENAME TO search_document`,
    ...indexes.map(({ name, isPrimary }, nth) =>
      isPrimary
        ? `ALTER TABLE search_document ADD CONSTRAINT ${name} PRIMARY KEY USING INDEX ${nextName(nth)}`
        : `ALTER INDEX ${nextName(nth)} RENAME TO ${name}`,
    ),
    // Documents that were set aside before, and can be indexed now.
    `DELETE FROM job j USING search_document s
      WHERE j.kind = '${indexDocumentJob}' AND s.repository = j.payload ->> 'repository'
        AND s.id = CASE j.kind WHEN '${indexDocumentJob}' THEN (j.payload ->> 'id')::uuid END`,
    // Any row may have changed: by more than any search counts.
    addedChanges(`${2 ** 31}`),
    'DELETE FROM search_rebuild',
  ].join(';');
