import { NIL } from 'uuid';
import { modelColumns } from '../../db/columns.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { statement } from '../../db/statement.ts';
import { Unavailable } from '../../errors.ts';
import { indexDocumentJob } from '../../loaders/queue/jobs.ts';
import { lockIndexBuild } from '../row-locks/lock-index-build.ts';
import { wordsTable } from './document-words.ts';
import { requestedFiles } from './file-words.ts';
import { addedChanges, indexColumns, sourceRows, writtenTables } from './search-changes.ts';

// The statements that build a new index next to search_document. PostgreSQL copies, or finds in its catalog, everything
// that the new index has in common with the old one: columns, statistics, settings and indexes, including those
// declared in the model.

/** The table that replaces search_document at the end of a build. */
const next = 'search_document_next';

/**
 * The number of changed documents that one transaction indexes; other transactions that update the index wait for it.
 */
export const changesOfCatchUp = 500;

/** Whether a build has been started and has not ended. */
export const isUnderWayQuery = statement('is-index-built', { isUnderWay: 'bool' })`
  SELECT to_regclass('${next}') IS NOT NULL AND EXISTS (SELECT FROM search_rebuild WHERE analysis = $1) AS "isUnderWay"`;

/** The error for a build that has been replaced by another one. */
export const buildEnded = () =>
  new Unavailable('Another build of the search index has begun. Start this one again.');

/**
 * Checks that a build has not ended, and keeps it from ending before the transaction does.
 * @throws Unavailable
 */
export async function requireUnderWay(connection: ConnectionApart): Promise<void> {
  if (!(await lockIndexBuild(connection))) throw buildEnded();
}

/** The SQL for settings that CREATE TABLE … LIKE does not copy. */
export const settingsQuery = statement('settings-of-search-index', { sql: 'text' })`
  SELECT format('ALTER TABLE ${next} ALTER %I SET STATISTICS %s', attname, attstattarget) AS sql
  FROM pg_attribute WHERE attrelid = 'search_document'::regclass AND attnum > 0 AND attstattarget >= 0
  UNION ALL
  SELECT format('ALTER TABLE ${next} SET (%s)', array_to_string(reloptions, ', '))
  FROM pg_class WHERE oid = 'search_document'::regclass AND reloptions IS NOT NULL`;

/**
 * SQL that creates the new table, and from then on records which documents change.
 * @param analysis the key of the analysis, which needs no escaping
 */
export const buildBeginning = (analysis: string): string =>
  [
    `DROP TABLE IF EXISTS ${next}`,
    `CREATE TABLE ${next} (LIKE search_document INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE)`,
    'DELETE FROM search_rebuild_change',
    'DELETE FROM search_rebuild',
    `INSERT INTO search_rebuild (repository, document_id, analysis) VALUES ('', '${NIL}', '${analysis}')`,
  ].join(';');

/**
 * Deletes the rows after the stored position. Such rows can exist, because connections that wrote in parallel stopped
 * at different positions.
 */
export const continueQuery = statement('continue-next-index')`
  DELETE FROM ${next} n USING search_rebuild r WHERE (n.repository, n.id) > (r.repository, r.document_id)`;

/** The key of the last document up to which all rows have been written. */
export const positionQuery = statement('position-of-next-index', {
  ...modelColumns('SearchRebuild', 'repository'),
  id: 'uuid',
})`
  SELECT repository, document_id AS id FROM search_rebuild`;

/** Selects the keys of the next documents. */
export const nextDocumentsQuery = statement(
  'next-documents-of-index',
  modelColumns('Document', 'repository', 'id'),
)`
  SELECT repository, id FROM document WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT $3`;

/** Writes the rows of documents to the new index, and adds jobs to extract the words of their files. */
export const sliceQuery = statement('slice-of-next-index', { count: 'int4', files: 'int4' })`
  WITH changed AS (SELECT * FROM unnest($2::text[], $3::uuid[]) AS c (repository, id)),
  ${wordsTable(4)},
  written AS (INSERT INTO ${next} (${indexColumns.list}) ${sourceRows} RETURNING id), ${requestedFiles('$1')}
  SELECT (SELECT count(*)::int FROM written) AS count, (SELECT count(*)::int FROM requested_files) AS files`;

/** Stores the key of the last document up to which all rows have been written. */
export const storePositionQuery = statement('store-position-of-next-index', { isUnderWay: 'bool' })`
  WITH stored AS (
    UPDATE search_rebuild SET repository = $1, document_id = $2::uuid
    WHERE (repository, document_id) < ($1, $2::uuid)
  )
  SELECT EXISTS (SELECT FROM search_rebuild) AS "isUnderWay"`;

/** Updates the visibility map, so that searches can use index-only scans. */
export const vacuum = `VACUUM ${next}`;

/** The indexes to create, largest first, because the largest takes longest. */
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

/** An index on the search table, as the catalog describes it. */
export interface IndexOfIndex {
  readonly name: string;
  readonly isPrimary: boolean;
  /** The rest of the index definition, starting with USING. */
  readonly using: string;
}

const nextName = (nth: number): string => `${next}_${nth}`;

/** Drops indexes that PostgreSQL finished creating after a build was stopped. */
export const dropIndexes = `DO $$ DECLARE "name" TEXT; BEGIN
  FOR "name" IN SELECT indexrelid::regclass FROM pg_index WHERE indrelid = '${next}'::regclass LOOP
    EXECUTE 'DROP INDEX ' || "name";
  END LOOP;
END $$`;

/**
 * SQL that creates an index.
 * @param memory the number of megabytes for sorting, unless the server is configured to use more
 */
export const indexing = ({ isPrimary, using }: IndexOfIndex, nth: number, memory: number): string =>
  `SELECT set_config('maintenance_work_mem', setting, true) FROM (
     SELECT greatest(${memory} * 1024, setting::int)::text AS setting FROM pg_settings WHERE name = 'maintenance_work_mem') s;
   CREATE ${isPrimary ? 'UNIQUE ' : ''}INDEX ${nextName(nth)} ON ${next} ${using}`;

/** Collects statistics for the planner. */
export const analyze = `ANALYZE ${next}`;

/** Selects the documents that have changed since their rows were written. */
export const changedQuery = statement('changes-of-next-index', {
  ...modelColumns('SearchRebuildChange', 'repository'),
  id: 'uuid',
})`
  SELECT repository, document_id AS id FROM search_rebuild_change LIMIT ${changesOfCatchUp}`;

const takenChanges = `DELETE FROM search_rebuild_change WHERE (repository, document_id) IN (
    SELECT repository, id FROM unnest($1::text[], $2::uuid[]) AS c (repository, id)
  ) RETURNING repository, document_id AS id`;

/** Writes the rows of changed documents, in a transaction that holds the lock on the index. */
export const catchUpQuery = statement('catch-up-next-index', { count: 'int4' })`
  WITH changed AS (${takenChanges}), ${writtenTables(next, 3)}
  SELECT count(*)::int AS count FROM changed`;

/** Deletes the records of changed documents without writing the documents' rows. */
export const takeChangesQuery = statement('take-changes-of-next-index')`${takenChanges}`;

const ofKeys = '(n.repository, n.id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))';

/** Deletes the rows of documents that cannot be indexed. */
export const leaveOutQuery = statement('leave-out-of-next-index')`DELETE FROM ${next} n WHERE ${ofKeys}`;

// If an index cannot be created, a temporary table with the same index is used to find the rows that cause this.

/** SQL that creates the temporary table `search_sieve` for one connection. */
export const sieve = ({ using }: IndexOfIndex): string =>
  `DROP TABLE IF EXISTS pg_temp.search_sieve;
   CREATE TEMP TABLE search_sieve (LIKE ${next} INCLUDING GENERATED); CREATE INDEX ON search_sieve ${using}`;

/** Empties the temporary table `search_sieve`. */
export const emptySieve = 'TRUNCATE search_sieve';

/** Selects the keys of the next documents that have rows in the new index. */
export const writtenDocumentsQuery = statement(
  'written-documents-of-index',
  modelColumns('SearchDocument', 'repository', 'id'),
)`
  SELECT repository, id FROM ${next} WHERE (repository, id) > ($1, $2::uuid) ORDER BY repository, id LIMIT $3`;

/** Copies the rows of documents to the temporary table `search_sieve`, which fails for rows that prevent the index. */
export const sieveQuery = statement('sift-next-index')`
  INSERT INTO search_sieve (${indexColumns.list}) SELECT ${indexColumns.list} FROM ${next} n WHERE ${ofKeys}`;

/** Selects the definition of the database view from which searches read. */
export const viewQuery = statement('view-of-search-index', {
  sql: 'text',
})`SELECT pg_get_viewdef('searchable'::regclass) AS sql`;

/** SQL that replaces search_document with the new table, and stops recording changes. */
export const swap = (view: string, indexes: readonly IndexOfIndex[], analysis: string): string =>
  [
    `CREATE OR REPLACE VIEW searchable AS ${view.replace(/\bsearch_document\b/g, next)}`.replace(/;\s*$/, ''),
    'DROP TABLE search_document',
    `ALTER TABLE ${next} RENAME TO search_document`,
    ...indexes.map(({ name, isPrimary }, nth) =>
      isPrimary
        ? `ALTER TABLE search_document ADD CONSTRAINT ${name} PRIMARY KEY USING INDEX ${nextName(nth)}`
        : `ALTER INDEX ${nextName(nth)} RENAME TO ${name}`,
    ),
    // These documents had been set aside and are now indexed.
    `DELETE FROM job j USING search_document s
      WHERE j.kind = '${indexDocumentJob}' AND s.repository = j.payload ->> 'repository'
        AND s.id = CASE j.kind WHEN '${indexDocumentJob}' THEN (j.payload ->> 'id')::uuid END`,
    // Any row may have changed, so the counter is increased enough to invalidate everything that searches have cached.
    addedChanges(`${2 ** 31}`),
    `UPDATE search_state SET analysis = '${analysis}'`,
    'DELETE FROM search_rebuild',
  ].join(';');
