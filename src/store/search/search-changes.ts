import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { beforeAllDocuments, type DocumentPlace } from '../documents/document-place.ts';
import { askedFillings } from '../renditions/filling-jobs.ts';
import { askedFiles, typesWithText } from './file-words.ts';

type Asking = Pick<Client, 'query'>;

const columns =
  `repository, id, parent_id, ancestor_ids, name, path, type, facets, title, state, is_version, is_proxy,
  is_trashed, is_checked_out, is_latest_version, is_latest_major_version, acl_id, created, modified, terms, words`.split(
    /,\s+/,
  );
const list = columns.join(', ');
const given = columns.map((name) => `EXCLUDED.${name}`).join(', ');

/** The columns that are written; others are computed from them. */
export const indexColumns = { list, ofSource: columns.map((name) => `s.${name}`).join(', ') } as const;

/**
 * Tables of a WITH: bring the rows of the documents in the table `changed` up to date.
 * @param index search_document, or a table like it.
 */
export const writtenTables = (index: string): string => `
  gone AS (
    DELETE FROM ${index} s USING changed c
    WHERE s.repository = c.repository AND s.id = c.id
      AND NOT EXISTS (SELECT FROM document d WHERE d.repository = c.repository AND d.id = c.id)
    RETURNING s.id
  ),
  written AS (
    INSERT INTO ${index} AS s (${list})
    SELECT ${indexColumns.ofSource}
    FROM changed c JOIN search_source s ON s.repository = c.repository AND s.id = c.id
    ORDER BY s.repository, s.id
    ON CONFLICT (repository, id) DO UPDATE SET (${list}) = ROW (${given})
    WHERE (${indexColumns.ofSource}) IS DISTINCT FROM (${given})
    RETURNING s.id
  )`;

/**
 * The same of the index, and asks for the words of files.
 * @param textTypes as of `askedFiles`.
 */
export const indexedTables = (textTypes: string): string =>
  `${writtenTables('search_document')}, ${askedFiles(textTypes)}`;

/** Adds to the changes that the index has taken. @param number the end of a SELECT. */
export const addedChanges = (number: string): string => `
  INSERT INTO search_state (changes) SELECT ${number}
  ON CONFLICT (is_only) DO UPDATE SET changes = search_state.changes + EXCLUDED.changes`;

/** A table of a WITH: the documents in the table `changed` count as changes. */
export const countedChanges = `counted AS (${addedChanges('count(*) FROM changed HAVING count(*) > 0')})`;

/** Documents whose rows one transaction writes: about a tenth of a second. */
export const changesOfBatch = 200;

const ageSql = (moment: string): string =>
  `greatest(0, 1000 * extract(epoch FROM clock_timestamp() - ${moment}))::int`;

const batchQuery = statement('index-search-changes')`
  WITH taken AS (
    DELETE FROM search_change WHERE id IN (SELECT id FROM search_change ORDER BY id LIMIT ${changesOfBatch})
    RETURNING repository, document_id, changed_at
  ),
  changed AS (SELECT DISTINCT repository, document_id AS id FROM taken), ${indexedTables('$1')}, ${countedChanges},
  ${askedFillings('$2')}
  SELECT count(*)::int AS count, coalesce(${ageSql('min(changed_at)')}, 0) AS age,
    (SELECT count(*)::int FROM asked_files) + (SELECT count(*)::int FROM asked_fillings) AS jobs
  FROM taken`;

/** Which files and documents jobs are for. */
export interface JobTypes {
  /** The media types of files with text: what `typesWithText` returns. */
  readonly textTypes?: string;
  /** What is filled in for files: what `filledKindsText` returns. */
  readonly filledKinds?: string;
}

export interface TakenChanges {
  readonly count: number;
  /** Of the oldest one, in milliseconds; 0 without any. */
  readonly age: number;
}

/** In a transaction that has the lock of the index. */
export async function indexOldestChanges(
  db: Pick<Client, 'query' | 'announce'>,
  { textTypes = typesWithText(), filledKinds = '[]' }: JobTypes = {},
): Promise<TakenChanges> {
  const [taken] = await db.query<TakenChanges & { jobs: number }>(batchQuery, [textTypes, filledKinds]);
  if (taken && taken.jobs > 0) await db.announce('jobs');
  return taken ?? { count: 0, age: 0 };
}

const documentsOfSlice = 5 * changesOfBatch;

const sliceQuery = statement('index-visible-changes')`
  WITH changed AS (
    SELECT DISTINCT repository, document_id AS id FROM search_change
    WHERE (repository, document_id) > ($2, $3::uuid)
      AND (NOT $4::boolean OR transaction_id = pg_current_xact_id_if_assigned())
    ORDER BY repository, id LIMIT ${documentsOfSlice}
  ), ${indexedTables('$1')}
  SELECT n.count, l.* FROM (SELECT count(*)::int AS count FROM changed) n
  LEFT JOIN LATERAL (SELECT * FROM changed ORDER BY repository DESC, id DESC LIMIT 1) l ON true`;

/**
 * Writes the rows of all changes that a transaction sees, its own included: by their keys, as others do, so
 * that no two deadlock. The changes remain: others may write the same rows from an older state meanwhile.
 * @param end by `performance.now()`: then it goes on with the transaction's own changes, until `ownEnd`.
 * @returns whether none is left.
 */
export async function indexVisibleChanges(
  db: Asking,
  { textTypes = typesWithText(), end = Number.POSITIVE_INFINITY, ownEnd = Number.POSITIVE_INFINITY } = {},
): Promise<boolean> {
  let after = beforeAllDocuments;
  for (let isOwn = false; ; ) {
    const values = [textTypes, after.repository, after.id, isOwn];
    const [slice] = await db.query<DocumentPlace & { readonly count: number }>(sliceQuery, values);
    if (!slice || slice.count < documentsOfSlice) return !isOwn;
    const now = performance.now();
    if (now > ownEnd) return false;
    isOwn ||= now > end;
    after = slice;
  }
}

const oldestQuery = statement('oldest-search-change')`
  SELECT ${ageSql('changed_at')} AS age,
    1000 * extract(epoch FROM changed_at)::float8 AS "changedAt"
  FROM search_change ORDER BY id LIMIT 1`;

interface OldestChange {
  /** Milliseconds since then. */
  readonly age: number;
  /** By the clock of the primary, in milliseconds. */
  readonly changedAt: number;
}

const pendingQuery = statement('pending-search-changes')`
  SELECT ${ageSql('changed_at')} AS age,
    EXISTS (
      SELECT FROM search_change WHERE transaction_id IS DISTINCT FROM pg_current_xact_id_if_assigned()
    ) AS "areOfOthers"
  FROM search_change ORDER BY id LIMIT 1`;

export async function pendingChanges(
  db: Asking,
): Promise<{ readonly age: number; readonly areOfOthers: boolean } | undefined> {
  const [pending] = await db.query<{ age: number; areOfOthers: boolean }>(pendingQuery, []);
  return pending;
}

/** The oldest change that is not indexed; undefined when all are. */
export async function oldestChange(db: Asking): Promise<OldestChange | undefined> {
  const [oldest] = await db.query<OldestChange>(oldestQuery, []);
  return oldest;
}
