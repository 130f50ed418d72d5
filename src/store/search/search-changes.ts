import type { Columns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { indexDocumentJob } from '../../loaders/queue/jobs.ts';
import type { WordAnalysis } from '../../words/atoms.ts';
import { beforeAllDocuments, type DocumentPlace, keysOf } from '../documents/document-place.ts';
import { requestedFillings } from '../renditions/filling-jobs.ts';
import { lockedSearchChanges } from '../row-locks/locked-search-changes.ts';
import { wordsOfChanges, wordsOfDocuments, wordsTable } from './document-words.ts';
import { requestedFiles, typesWithText } from './file-words.ts';
import { addTitleWords } from './title-words.ts';

type Asking = Pick<Client, 'query'>;

const columns =
  `repository, id, parent_id, ancestor_ids, name, path, type, facets, title, state, is_version, is_proxy,
  is_trashed, is_checked_out, is_latest_version, is_latest_major_version, acl_id, created, modified, terms, words`.split(
    /,\s+/,
  );
const list = columns.join(', ');
const excluded = columns.map((name) => `EXCLUDED.${name}`).join(', ');

/**
 * SQL for the words of a document `s` and of its files. It reads from the table `document_words` of the enclosing WITH
 * clause.
 */
const wordsWithFiles = `CASE WHEN EXISTS (
      SELECT FROM document_blob b WHERE b.repository = s.repository AND b.document_id = s.id
    ) THEN with_file_words(w.words, s.repository, s.id) ELSE w.words END AS words`;

/** The columns that are written. PostgreSQL computes the others from these. */
export const indexColumns = {
  list,
  ofIndex: columns.map((name) => `s.${name}`).join(', '),
  ofSource: columns.map((name) => (name === 'words' ? wordsWithFiles : `s.${name}`)).join(', '),
} as const;

/**
 * SQL for the rows that the index is to contain for the documents in the tables `changed` and `document_words` of the
 * enclosing WITH clause.
 */
export const sourceRows = `SELECT ${indexColumns.ofSource}
    FROM changed c JOIN search_source s ON s.repository = c.repository AND s.id = c.id
    JOIN document_words w ON w.repository = s.repository AND w.id = s.id`;

/**
 * Common table expressions (CTEs) for a WITH clause that update the index rows of the documents in the table `changed`.
 * `gone` deletes the rows of deleted documents. `written` inserts or updates the others, ordered by key, so that two
 * transactions cannot deadlock. Rows that have not changed are not written, because that would only create dead row
 * versions.
 * @param index search_document, or a table with the same columns
 * @param words the number of the first of the parameters in `DocumentWords.columns`
 */
export const writtenTables = (index: string, words: number): string => `
  ${wordsTable(words)},
  gone AS (
    DELETE FROM ${index} s USING changed c
    WHERE s.repository = c.repository AND s.id = c.id
      AND NOT EXISTS (SELECT FROM document d WHERE d.repository = c.repository AND d.id = c.id)
    RETURNING s.id
  ),
  written AS (
    INSERT INTO ${index} AS s (${list})
    ${sourceRows}
    ORDER BY s.repository, s.id
    ON CONFLICT (repository, id) DO UPDATE SET (${list}) = ROW (${excluded})
    WHERE (${indexColumns.ofIndex}) IS DISTINCT FROM (${excluded})
    RETURNING s.id
  )`;

/**
 * Common table expressions (CTEs) for a WITH clause that update the search index for the documents in the table
 * `changed`, and add jobs to extract the words of their files.
 * @param textTypes as for `requestedFiles`
 * @param words as for `writtenTables`
 */
export const indexedTables = (textTypes: string, words: number): string =>
  `${writtenTables('search_document', words)}, ${requestedFiles(textTypes)}`;

/**
 * SQL that increases the counter of indexed changes.
 * @param number the select list and the rest of a SELECT that returns the number to add
 */
export const addedChanges = (number: string): string => `
  INSERT INTO search_state (changes) SELECT ${number}
  ON CONFLICT (is_only) DO UPDATE SET changes = search_state.changes + EXCLUDED.changes`;

/**
 * A common table expression (CTE) for a WITH clause that adds the number of documents in the table `changed` to the
 * counter of indexed changes.
 */
export const countedChanges = `counted AS (${addedChanges('count(*) FROM changed HAVING count(*) > 0')})`;

/**
 * The maximum number of changes that one transaction indexes. If the documents are small, this takes a tenth of a
 * second.
 */
export const changesOfBatch = 200;

/** The maximum total size in bytes of the documents that one transaction indexes, as estimated by `search_weight`. */
const weightOfBatch = 1_048_576;

/** The size in bytes above which a document is indexed in the slow lane, the queue for large documents. */
const weightOfFast = 65_536;

/** The number of milliseconds that PostgreSQL can spend on a batch of several documents. */
const timeOfBatch = 2_000;

/**
 * The number of milliseconds to wait for a row lock. The slow lane may have to wait until a whole batch in the fast
 * lane is complete.
 */
const timesOfLock: Record<Lane, number> = { fast: 500, slow: 2 * timeOfBatch };

/** The number of seconds that PostgreSQL can spend on a document that is indexed on its own. */
export const secondsOfDocument = 10;

/** SQL for the text that makes the job of a document unique (`once`). Both parameters are SQL expressions. */
export const onceOfDocument = (repository: string, id: string): string =>
  `'${indexDocumentJob} ' || ${repository} || ' ' || ${id}`;

/**
 * Changes to documents are indexed in two lanes (queues): the fast lane for small documents and the slow lane for large
 * ones. Each lane has its own lock, so the transactions of both run at the same time, and a small document never waits
 * for a large one. Every change starts in the fast lane. It moves to the slow lane if its document is large or set
 * aside, if an older change to the same document is there, or if indexing its batch has failed. The rule about older
 * changes ensures that the two lanes never write the row of the same document at the same time; otherwise, an older
 * state could overwrite a newer one.
 */
export type Lane = 'fast' | 'slow';

/** Tells whether changes remain after a batch. */
interface RemainingChanges {
  /** Whether the lane of the batch has more changes. */
  readonly hasMore: boolean;
  /** Whether the slow lane has changes. */
  readonly hasSlow: boolean;
}

/** The changes that a transaction is about to index. */
export interface ChosenChanges extends RemainingChanges {
  readonly ids: readonly string[];
  /** The number of documents that have these changes. */
  readonly documents: number;
  /** The jobs of the documents that are set aside. */
  readonly jobs: readonly string[];
}

const remaining = { hasMore: 'bool', hasSlow: 'bool' } as const satisfies Columns;

const chosen = {
  ...remaining,
  ids: 'text[]',
  documents: 'int4',
  jobs: 'text[]',
  /** The result of setting the limits; it is never read. */
  set_config: 'text',
} as const satisfies Columns;

/** SQL that limits the duration of the transaction's next statements. */
const limits = (lane: Lane, milliseconds: string): string =>
  `set_config('statement_timeout', ${milliseconds}, true), set_config('lock_timeout', '${timesOfLock[lane]}', true)`;

const weighedTable = `weighed AS (
    SELECT w.*, coalesce(search_weight(d.repository, d.id, d.properties), 0) AS weight, j.once,
      (
        SELECT bool_or(c.is_large) FROM search_change c
        WHERE c.is_slow AND c.repository = w.repository AND c.document_id = w.document_id
      ) AS follows_large -- null if no older change of the document is in the slow lane
    FROM waiting w LEFT JOIN document d ON d.repository = w.repository AND d.id = w.document_id
    LEFT JOIN job j ON j.once = ${onceOfDocument('w.repository', 'w.document_id')}
  )`;

/**
 * A common table expression (CTE) for a WITH clause that selects the first changes, in the given order, whose documents
 * together do not exceed the weight of a batch. It always selects at least one change.
 */
const chosenTable = (order: string, condition: string): string => `chosen AS (
    SELECT * FROM (
      SELECT *, sum(weight) OVER (ORDER BY ${order}) - weight AS before FROM weighed WHERE ${condition}
    ) w WHERE before < ${weightOfBatch}
  )`;

const chosenColumns = `coalesce(array_agg(id::text), '{}') AS ids,
    count(DISTINCT (repository, document_id))::int AS documents,
    coalesce(array_agg(once) FILTER (WHERE once IS NOT NULL), '{}') AS jobs`;

const isLarge = `(weight > ${weightOfFast} OR once IS NOT NULL OR coalesce(follows_large, false))`;

const isFast = `NOT ${isLarge} AND follows_large IS NULL`;

// Chooses changes from the fast lane, and moves large documents to the slow lane.
//
// Plan: `ends` reads the oldest and the newest changes, from both ends of an index. That way, if one request has
// changed very many documents, later changes by others do not wait until all of these are indexed. `weighed` estimates
// the size of each document. `chosen` takes changes until they reach the weight of a batch. `slowed` marks the changes
// of large documents, which the slow lane then takes. The cost depends on the limit, not on the number of pending
// changes.
const fastQuery = statement('choose-fast-changes', chosen)`
  WITH ends AS (
    (SELECT id, repository, document_id, row_number() OVER (ORDER BY id) AS place
      FROM search_change WHERE NOT is_slow ORDER BY id LIMIT $1)
    UNION ALL
    (SELECT id, repository, document_id, row_number() OVER (ORDER BY id DESC)
      FROM search_change WHERE NOT is_slow ORDER BY id DESC LIMIT $1)
  ),
  waiting AS (
    SELECT id, repository, document_id, min(place) AS place FROM ends GROUP BY id, repository, document_id
  ), ${weighedTable}, ${chosenTable('place, id', isFast)},
  slowed AS (
    UPDATE search_change c SET is_slow = true, is_large = ${isLarge}
    FROM weighed w WHERE c.id = w.id AND NOT (${isFast}) RETURNING c.id
  )
  SELECT ${chosenColumns},
    (SELECT count(*) FROM (SELECT FROM search_change WHERE NOT is_slow LIMIT 2 * $1 + 1) c)
      > count(*) + (SELECT count(*) FROM slowed) AS "hasMore",
    EXISTS (SELECT FROM slowed) OR EXISTS (SELECT FROM search_change WHERE is_slow) AS "hasSlow",
    ${limits('fast', `'${timeOfBatch}'`)}
  FROM chosen`;

// Chooses changes from the slow lane. Small documents come first: they are there because their batch in the fast lane
// failed, and every search waits for them. If $2 is false, the oldest changes come first.
const slowQuery = statement('choose-slow-changes', chosen)`
  WITH waiting AS (
    SELECT id, repository, document_id, is_large AND $2 AS is_later FROM search_change
    WHERE is_slow ORDER BY is_later, id LIMIT $1
  ),
  ${weighedTable}, ${chosenTable('is_later, id', 'true')}
  SELECT ${chosenColumns},
    (SELECT count(*) FROM (SELECT FROM search_change WHERE is_slow LIMIT $1 + 1) c) > count(*) AS "hasMore",
    EXISTS (SELECT FROM search_change WHERE is_slow) AS "hasSlow",
    ${limits('slow', `CASE WHEN count(DISTINCT (repository, document_id)) = 1 THEN '${1000 * secondsOfDocument}' ELSE '${timeOfBatch}' END`)}
  FROM chosen`;

const ageSql = (moment: string): string =>
  `greatest(0, 1000 * extract(epoch FROM clock_timestamp() - ${moment}))::int`;

// Deletes the chosen changes, writes the index rows and jobs that result from them, and counts the changes. One
// statement does all of this, so a change is deleted only if its document is indexed. The counter invalidates cached
// pages and counts of searches. The jobs of documents that were set aside are deleted.
const batchSql = (tables: string): string => `
  WITH taken AS (
    DELETE FROM search_change WHERE id = ANY($3::bigint[]) RETURNING repository, document_id, changed_at
  ),
  changed AS (SELECT DISTINCT repository, document_id AS id FROM taken), ${tables}, ${countedChanges},
  ${requestedFillings('$2')},
  indexed_at_last AS (DELETE FROM job WHERE once = ANY($4::text[]))
  SELECT count(*)::int AS count, coalesce(${ageSql('min(changed_at)')}, 0) AS age,
    (SELECT count(*)::int FROM requested_files) + (SELECT count(*)::int FROM requested_fillings) AS jobs
  FROM taken`;

const taken = { count: 'int4', age: 'int4', jobs: 'int4' } as const satisfies Columns;

const fastBatch = statement('index-search-changes', taken)`${batchSql(indexedTables('$1', 5))}`;

// The slow lane first writes the rows, which can take seconds. Afterwards, it briefly locks what both lanes need: the
// counter and the jobs for files. If it locked these first, the fast lane would have to wait for it.
const slowRows = statement('write-slow-changes')`
  WITH taken AS (${lockedSearchChanges('$1')}),
  changed AS (SELECT DISTINCT repository, document_id AS id FROM taken), ${writtenTables('search_document', 2)}
  SELECT FROM changed`;

const slowBatch = statement('take-slow-changes', taken)`${batchSql(requestedFiles('$1'))}`;

/** Determines which files and documents get jobs when they are indexed. */
export interface JobTypes {
  /** The media types of files that contain text, from `typesWithText`. */
  readonly textTypes?: string;
  /** The kinds of documents whose properties are filled in from files, from `filledKindsText`. */
  readonly filledKinds?: string;
  readonly analysis?: WordAnalysis | undefined;
}

/** The result of indexing a batch. */
export interface TakenChanges extends RemainingChanges {
  readonly count: number;
  /** The number of milliseconds since the oldest change in the batch; 0 if there was none. */
  readonly age: number;
}

/**
 * Thrown when indexing a batch has failed. The PostgreSQL error is not its `cause`, because the transaction would then
 * be retried.
 */
export class NotIndexed extends Error {
  readonly changes: ChosenChanges;
  readonly reason: unknown;
  constructor(changes: ChosenChanges, reason: unknown) {
    super('documents were not indexed');
    this.changes = changes;
    this.reason = reason;
  }
}

async function indexChosen(
  db: Pick<Client, 'query' | 'announce'>,
  lane: Lane,
  changes: ChosenChanges,
  { textTypes = typesWithText(), filledKinds = '[]', analysis }: JobTypes,
): Promise<TakenChanges> {
  const { ids, jobs, hasMore, hasSlow } = changes;
  if (ids.length === 0) return { count: 0, age: 0, hasMore, hasSlow };
  const write = async () => {
    const { columns: words, ofTitles } = await wordsOfChanges(db, ids, analysis);
    const values = [textTypes, filledKinds, ids, jobs];
    if (lane === 'slow') await db.query(slowRows, [ids, ...words]);
    const taken =
      lane === 'fast' ? await db.query(fastBatch, [...values, ...words]) : await db.query(slowBatch, values);
    await addTitleWords(db, ofTitles);
    return taken;
  };
  const [taken] = await write().catch((error: unknown) => Promise.reject(new NotIndexed(changes, error)));
  if (taken && taken.jobs > 0) await db.announce('jobs');
  return { count: taken?.count ?? 0, age: taken?.age ?? 0, hasMore, hasSlow };
}

/**
 * Indexes the next documents in a lane, in a transaction that holds the lock of the lane.
 * @param options `limit` is the maximum number of changes; in the slow lane, `inOrder` takes the oldest changes first,
 * rather than small documents first
 * @throws NotIndexed
 */
export async function indexNextChanges(
  db: Pick<Client, 'query' | 'announce'>,
  {
    lane,
    limit,
    inOrder = false,
  }: { readonly lane: Lane; readonly limit: number; readonly inOrder?: boolean },
  types: JobTypes = {},
): Promise<TakenChanges> {
  const [chosen] =
    lane === 'fast'
      ? await db.query(fastQuery, [Math.ceil(limit / 2)])
      : await db.query(slowQuery, [limit, !inOrder]);
  return indexChosen(
    db,
    lane,
    chosen ?? { ids: [], documents: 0, jobs: [], hasMore: false, hasSlow: false },
    types,
  );
}

// Adds a change, because indexing a document always starts from a change. No other transaction sees this one. If the
// job is gone, the document is no longer set aside and nothing is added.
const againQuery = statement('index-document-again', chosen)`
  WITH added AS (
    INSERT INTO search_change (repository, document_id)
    SELECT $1, $2::uuid FROM job WHERE once = ${onceOfDocument('$1::text', '$2::uuid')} RETURNING id
  )
  SELECT ARRAY(SELECT id::text FROM added) AS ids, 1 AS documents,
    ARRAY[${onceOfDocument('$1::text', '$2::uuid')}] AS jobs, false AS "hasMore", false AS "hasSlow",
    ${limits('slow', `'${1000 * secondsOfDocument}'`)}`;

/**
 * Indexes a document that was set aside because indexing it had failed, and ends the job for it. The transaction must
 * hold the lock of the slow lane, the queue to which such documents belong.
 * @throws NotIndexed
 */
export async function indexDocumentAgain(
  db: Pick<Client, 'query' | 'announce'>,
  { repository, id }: DocumentPlace,
  types: JobTypes,
): Promise<void> {
  const [changes] = await db.query(againQuery, [repository, id]);
  if (changes) await indexChosen(db, 'slow', changes, types);
}

const visibleQuery = statement('visible-search-changes', { repository: 'text', id: 'uuid' })`
  SELECT DISTINCT repository, document_id AS id FROM search_change
  WHERE (repository, document_id) > ($1, $2::uuid)
    AND (transaction_id = pg_current_xact_id_if_assigned() OR NOT ($3::boolean OR is_slow))
  ORDER BY repository, id LIMIT ${changesOfBatch}`;

const visibleBatch = statement('index-visible-changes')`
  WITH changed AS (SELECT * FROM unnest($2::text[], $3::uuid[]) AS c (repository, id)), ${indexedTables('$1', 4)}
  SELECT FROM changed`;

interface VisibleChanges extends Pick<JobTypes, 'textTypes' | 'analysis'> {
  readonly isOwn?: boolean;
  readonly end?: number;
  readonly ownEnd?: number;
}

/**
 * Writes the index rows of all changes that a transaction sees, including its own, so that a search within the
 * transaction finds them. Rows are written in the order of their keys, as everywhere, so transactions cannot deadlock.
 * The changes are not deleted, because other transactions may write the same rows from an older state. The changes
 * ensure that the newer state is written last. Changes of other transactions in the slow lane are skipped, because they
 * can take long or fail.
 * @param options `isOwn` skips all changes of other transactions; after `end`, a time of `performance.now()`, only the
 * transaction's own changes are written, until `ownEnd`
 * @returns whether no change was skipped
 */
export async function indexVisibleChanges(
  db: Asking,
  {
    textTypes = typesWithText(),
    analysis,
    isOwn = false,
    end = Number.POSITIVE_INFINITY,
    ownEnd = Number.POSITIVE_INFINITY,
  }: VisibleChanges = {},
): Promise<boolean> {
  let after = beforeAllDocuments;
  for (let isOwnOnly = isOwn; ; ) {
    const documents = await db.query(visibleQuery, [after.repository, after.id, isOwnOnly]);
    const last = documents.at(-1);
    if (!last) return !isOwnOnly;
    const keys = keysOf(documents);
    await db.query(visibleBatch, [
      textTypes,
      ...keys,
      ...(await wordsOfDocuments(db, keys, analysis)).columns,
    ]);
    if (documents.length < changesOfBatch) return !isOwnOnly;
    const now = performance.now();
    if (now > ownEnd) return false;
    isOwnOnly ||= now > end;
    after = last;
  }
}

/**
 * SQL condition that is true if a user's searches wait for the change. Searches also wait for other users' changes that
 * are not in the slow lane yet, because only the fast lane finds out which documents are large.
 * @param user an SQL parameter; if it is null, searches wait for all changes
 */
const isAwaited = (user: string): string => `(NOT is_large OR ${user}::text IS NULL OR writer = ${user})`;

const oldestQuery = statement('oldest-search-change', { age: 'int4', changedAt: 'float8' })`
  SELECT ${ageSql('changed_at')} AS age,
    1000 * extract(epoch FROM changed_at)::float8 AS "changedAt"
  FROM search_change WHERE ${isAwaited('$1')} ORDER BY id LIMIT 1`;

interface OldestChange {
  /** The number of milliseconds since the change. */
  readonly age: number;
  /** The time of the change in milliseconds, according to the primary's clock. */
  readonly changedAt: number;
}

const pendingQuery = statement('pending-search-changes', {
  age: 'int4',
  areOfOthers: 'bool',
  areSlow: 'bool',
})`
  SELECT ${ageSql('changed_at')} AS age,
    EXISTS (
      SELECT FROM search_change
      WHERE transaction_id IS DISTINCT FROM pg_current_xact_id_if_assigned() AND ${isAwaited('$1')}
    ) AS "areOfOthers",
    EXISTS (SELECT FROM search_change WHERE is_slow AND ${isAwaited('$1')}) AS "areSlow"
  FROM search_change WHERE ${isAwaited('$1')} ORDER BY id LIMIT 1`;

interface PendingChanges {
  /** The number of milliseconds since the oldest change. */
  readonly age: number;
  /** Whether any of the changes was made by another transaction. */
  readonly areOfOthers: boolean;
  /** Whether any of the changes is in the slow lane. */
  readonly areSlow: boolean;
}

/** The pending changes that a search by the user waits for; undefined if there are none. */
export async function pendingChanges(db: Asking, user: string): Promise<PendingChanges | undefined> {
  const [pending] = await db.query(pendingQuery, [user]);
  return pending;
}

/**
 * The oldest change that has not been indexed; undefined if there is none.
 * @param user if set, changes that this user's searches do not wait for are ignored
 */
export async function oldestChange(db: Asking, user?: string): Promise<OldestChange | undefined> {
  const [oldest] = await db.query(oldestQuery, [user ?? null]);
  return oldest;
}
