import type { Columns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { indexDocumentJob } from '../../loaders/queue/jobs.ts';
import { beforeAllDocuments, type DocumentPlace } from '../documents/document-place.ts';
import { askedFillings } from '../renditions/filling-jobs.ts';
import { lockedSearchChanges } from '../row-locks/locked-search-changes.ts';
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

/** Changes that one transaction takes of many, at most: a tenth of a second when documents are small. */
export const changesOfBatch = 200;

/** Bytes of documents, as `search_weight` estimates them, of which one transaction writes the rows. */
const weightOfBatch = 1_048_576;

/** Bytes of a document beyond which it is indexed in the slow lane. */
const weightOfFast = 65_536;

/** Milliseconds that PostgreSQL may work on several documents. */
const timeOfBatch = 2_000;

/** Milliseconds that a transaction waits for a row: a batch of the slow lane also for the other lane to end its own. */
const timesOfLock: Record<Lane, number> = { fast: 500, slow: 2 * timeOfBatch };

/** Seconds that PostgreSQL may work on one document that is indexed alone. */
export const secondsOfDocument = 10;

/**
 * SQL: the text of the job that is unique to a document.
 * @param repository SQL, as is the id
 */
export const onceOfDocument = (repository: string, id: string): string =>
  `'${indexDocumentJob} ' || ${repository} || ' ' || ${id}`;

/**
 * Changes wait in two lanes. Each lane has a lock of its own, so that their transactions run at the same time and no
 * document of the fast lane waits for one that takes long. A change is in the fast lane first. It moves to the slow
 * lane when its document is large or set aside, when an older change of its document is there, or when a batch that
 * it belonged to has failed. Therefore the two lanes never write the row of the same document at the same time.
 */
export type Lane = 'fast' | 'slow';

/** Whether changes remain after a batch. */
interface RemainingChanges {
  /** In the lane of the batch. */
  readonly hasMore: boolean;
  readonly hasSlow: boolean;
}

/** Changes that one transaction is to take. */
export interface ChosenChanges extends RemainingChanges {
  readonly ids: readonly string[];
  /** How many documents they are of. */
  readonly documents: number;
  /** The jobs of those that are set aside. */
  readonly jobs: readonly string[];
}

const remaining = { hasMore: 'bool', hasSlow: 'bool' } as const satisfies Columns;

const chosen = {
  ...remaining,
  ids: 'text[]',
  documents: 'int4',
  jobs: 'text[]',
  /** Of the limits, which nothing reads. */
  set_config: 'text',
} as const satisfies Columns;

const limits = (lane: Lane, milliseconds: string): string =>
  `set_config('statement_timeout', ${milliseconds}, true), set_config('lock_timeout', '${timesOfLock[lane]}', true)`;

const weighedTable = `weighed AS (
    SELECT w.*, coalesce(search_weight(d.repository, d.id, d.properties), 0) AS weight, j.once,
      (
        SELECT bool_or(c.is_large) FROM search_change c
        WHERE c.is_slow AND c.repository = w.repository AND c.document_id = w.document_id
      ) AS follows_large -- null where no earlier change is in the slow lane
    FROM waiting w LEFT JOIN document d ON d.repository = w.repository AND d.id = w.document_id
    LEFT JOIN job j ON j.once = ${onceOfDocument('w.repository', 'w.document_id')}
  )`;

/** A table of a WITH: changes in an order, as far as their documents are a batch, and at least the first. */
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

// The oldest changes and the newest: where one request has changed very many documents, those that others change
// afterwards do not wait for all of them.
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

// Small documents come first, which are here because a batch of the fast lane has failed: every search waits for them.
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

const batchSql = (tables: string): string => `
  WITH taken AS (
    DELETE FROM search_change WHERE id = ANY($3::bigint[]) RETURNING repository, document_id, changed_at
  ),
  changed AS (SELECT DISTINCT repository, document_id AS id FROM taken), ${tables}, ${countedChanges},
  ${askedFillings('$2')},
  indexed_at_last AS (DELETE FROM job WHERE once = ANY($4::text[]))
  SELECT count(*)::int AS count, coalesce(${ageSql('min(changed_at)')}, 0) AS age,
    (SELECT count(*)::int FROM asked_files) + (SELECT count(*)::int FROM asked_fillings) AS jobs
  FROM taken`;

const taken = { count: 'int4', age: 'int4', jobs: 'int4' } as const satisfies Columns;

const fastBatch = statement('index-search-changes', taken)`${batchSql(indexedTables('$1'))}`;

// The slow lane writes rows first, which may take seconds, and then in a moment everything that the fast lane locks too:
// the count of changes and the jobs of files.
const slowRows = statement('write-slow-changes')`
  WITH taken AS (${lockedSearchChanges('$1')}),
  changed AS (SELECT DISTINCT repository, document_id AS id FROM taken), ${writtenTables('search_document')}
  SELECT FROM changed`;

const slowBatch = statement('take-slow-changes', taken)`${batchSql(askedFiles('$1'))}`;

/** Which files and documents jobs are for. */
export interface JobTypes {
  /** The media types of files with text: what `typesWithText` returns. */
  readonly textTypes?: string;
  /** What is filled in for files: what `filledKindsText` returns. */
  readonly filledKinds?: string;
}

export interface TakenChanges extends RemainingChanges {
  readonly count: number;
  /** Of the oldest one, in milliseconds; 0 without any. */
  readonly age: number;
}

/** Documents were not indexed. The error of the database is no `cause`, so that a transaction is not repeated. */
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
  { textTypes = typesWithText(), filledKinds = '[]' }: JobTypes,
): Promise<TakenChanges> {
  const { ids, jobs, hasMore, hasSlow } = changes;
  if (ids.length === 0) return { count: 0, age: 0, hasMore, hasSlow };
  const write = async () => {
    if (lane === 'slow') await db.query(slowRows, [ids]);
    return db.query(lane === 'fast' ? fastBatch : slowBatch, [textTypes, filledKinds, ids, jobs]);
  };
  const [taken] = await write().catch((error: unknown) => Promise.reject(new NotIndexed(changes, error)));
  if (taken && taken.jobs > 0) await db.announce('jobs');
  return { count: taken?.count ?? 0, age: taken?.age ?? 0, hasMore, hasSlow };
}

/**
 * Indexes documents of one lane, in a transaction that has the lock of the lane.
 * @param given `limit` is how many changes are taken at most. Of the slow lane the oldest come first, `inOrder`, or
 *   else those of small documents.
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

// A change of its own, which no other transaction sees: whatever follows changes of documents follows it too. Without
// its job the document is not set aside any more.
const againQuery = statement('index-document-again', chosen)`
  WITH asked AS (
    INSERT INTO search_change (repository, document_id)
    SELECT $1, $2::uuid FROM job WHERE once = ${onceOfDocument('$1::text', '$2::uuid')} RETURNING id
  )
  SELECT ARRAY(SELECT id::text FROM asked) AS ids, 1 AS documents,
    ARRAY[${onceOfDocument('$1::text', '$2::uuid')}] AS jobs, false AS "hasMore", false AS "hasSlow",
    ${limits('slow', `'${1000 * secondsOfDocument}'`)}`;

/**
 * Indexes a document that is set aside and ends its job, in a transaction that has the lock of the slow lane: the
 * fast lane leaves documents alone that have such a job.
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

const documentsOfSlice = 5 * changesOfBatch;

const sliceQuery = statement('index-visible-changes', { repository: 'text?', id: 'uuid?', count: 'int4' })`
  WITH changed AS (
    SELECT DISTINCT repository, document_id AS id FROM search_change
    WHERE (repository, document_id) > ($2, $3::uuid)
      AND (transaction_id = pg_current_xact_id_if_assigned() OR NOT ($4::boolean OR is_slow))
    ORDER BY repository, id LIMIT ${documentsOfSlice}
  ), ${indexedTables('$1')}
  SELECT n.count, l.* FROM (SELECT count(*)::int AS count FROM changed) n
  LEFT JOIN LATERAL (SELECT * FROM changed ORDER BY repository DESC, id DESC LIMIT 1) l ON true`;

/**
 * Writes the rows of all changes that a transaction sees, its own included: by their keys, as others do, so
 * that no two deadlock. The changes remain: others may write the same rows from an older state meanwhile.
 * Changes of others that are in the slow lane are left out, since they may take long or fail.
 * @param isOwn whether the changes of others are left out from the beginning.
 * @param end by `performance.now()`: then it goes on with the transaction's own changes, until `ownEnd`.
 * @returns whether none is left.
 */
export async function indexVisibleChanges(
  db: Asking,
  {
    textTypes = typesWithText(),
    isOwn = false,
    end = Number.POSITIVE_INFINITY,
    ownEnd = Number.POSITIVE_INFINITY,
  } = {},
): Promise<boolean> {
  let after = beforeAllDocuments;
  for (let isOwnOnly = isOwn; ; ) {
    const values = [textTypes, after.repository, after.id, isOwnOnly];
    const [slice] = await db.query(sliceQuery, values);
    if (!slice || slice.count < documentsOfSlice) return !isOwnOnly;
    const now = performance.now();
    if (now > ownEnd) return false;
    isOwnOnly ||= now > end;
    after = slice as DocumentPlace;
  }
}

/**
 * SQL: a change that searches of a user wait for. The fast lane has to decide first which documents are large.
 * @param user a parameter, which is null where everything is waited for.
 */
const isAwaited = (user: string): string => `(NOT is_large OR ${user}::text IS NULL OR writer = ${user})`;

const oldestQuery = statement('oldest-search-change', { age: 'int4', changedAt: 'float8' })`
  SELECT ${ageSql('changed_at')} AS age,
    1000 * extract(epoch FROM changed_at)::float8 AS "changedAt"
  FROM search_change WHERE ${isAwaited('$1')} ORDER BY id LIMIT 1`;

interface OldestChange {
  /** Milliseconds since then. */
  readonly age: number;
  /** By the clock of the primary, in milliseconds. */
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
  /** Milliseconds since the oldest one. */
  readonly age: number;
  /** Whether any is of another transaction. */
  readonly areOfOthers: boolean;
  /** Whether any is in the slow lane. */
  readonly areSlow: boolean;
}

/** The changes that a search of the user waits for; undefined when there are none. */
export async function pendingChanges(db: Asking, user: string): Promise<PendingChanges | undefined> {
  const [pending] = await db.query(pendingQuery, [user]);
  return pending;
}

/**
 * The oldest change that is not indexed; undefined when all are.
 * @param user leaves out those that searches of this user do not wait for.
 */
export async function oldestChange(db: Asking, user?: string): Promise<OldestChange | undefined> {
  const [oldest] = await db.query(oldestQuery, [user ?? null]);
  return oldest;
}
