import type { Client } from '../../db/database.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { isTransactionConflict, stateOf, translateDatabaseError } from '../../db/errors.ts';
import { statement } from '../../db/statement.ts';
import { AppError, TimedOut } from '../../errors.ts';
import { indexDocumentJob } from '../../loaders/queue/jobs.ts';
import type { DocumentPlace } from '../documents/document-place.ts';
import { countedChanges, onceOfDocument, secondsOfDocument } from './search-changes.ts';

/** The number of seconds before each further attempt to index a document for which indexing took too long. */
export const delaysOfDocument = [60, 600, 3_600] as const;

/**
 * The reason why documents could not be indexed: PostgreSQL rejected their `data`, there was too little `time`, or
 * another transaction held a `lock`.
 */
type Fault = 'data' | 'time' | 'lock';

/**
 * Determines the reason why documents could not be indexed. Returns undefined if the error is not caused by the
 * documents, for example if the database cannot be reached, its disk is full, or a table is missing.
 */
export function faultOf(error: unknown): Fault | undefined {
  if (isTransactionConflict(error)) return 'lock';
  const known = translateDatabaseError(error);
  if (known instanceof TimedOut) return 'time';
  const state = stateOf(error);
  return known instanceof AppError || state === undefined || state.startsWith('42') ? undefined : 'data';
}

/** Explains to administrators why a document was set aside. */
export const setAsideReason = (error: unknown): string =>
  faultOf(error) === 'time'
    ? `The document could not be indexed within ${secondsOfDocument} s.`
    : `PostgreSQL cannot index the document: ${error instanceof Error ? error.message : String(error)} (${stateOf(error)})`;

/** SQL that adds or updates the jobs of the documents in the table `changed`. */
const jobsOfChanged = `
  INSERT INTO job (kind, once, payload, state, attempts, run_at, error)
  SELECT '${indexDocumentJob}', ${onceOfDocument('repository', 'id')},
    jsonb_build_object('repository', repository, 'id', id), $1, 1,
    clock_timestamp() + make_interval(secs => $2::int), $3
  FROM changed
  ON CONFLICT (once) DO UPDATE SET state = EXCLUDED.state, attempts = EXCLUDED.attempts,
    run_at = EXCLUDED.run_at, error = EXCLUDED.error, fence = job.fence + 1`;

// Deletes the changes and the index row of the document, counts the changes as indexed, and adds a job that tries to
// index the document again.
const setAsideQuery = statement('set-document-aside', { repository: 'text', id: 'uuid' })`
  WITH taken AS (DELETE FROM search_change WHERE id = ANY($4::bigint[]) RETURNING repository, document_id),
  changed AS (SELECT DISTINCT repository, document_id AS id FROM taken),
  gone AS (
    DELETE FROM search_document s USING changed c WHERE s.repository = c.repository AND s.id = c.id RETURNING s.id
  ),
  ${countedChanges}, added AS (${jobsOfChanged} RETURNING 1)
  SELECT repository, id FROM changed`;

const slowQuery = statement('slow-search-changes')`
  UPDATE search_change SET is_slow = true WHERE id = ANY($1::bigint[])`;

/**
 * Moves changes to the slow lane (the queue for large documents), in a transaction that holds the lock of the fast
 * lane.
 */
export const slowChanges = async (db: Pick<Client, 'query'>, changes: readonly string[]): Promise<void> =>
  void (await db.query(slowQuery, [changes]));

const lastQuery = statement('put-search-changes-last')`
  WITH taken AS (
    DELETE FROM search_change WHERE id = ANY($1::bigint[])
    RETURNING repository, document_id, changed_at, writer, is_large
  )
  INSERT INTO search_change (repository, document_id, changed_at, is_slow, writer, is_large)
  SELECT repository, document_id, changed_at, true, writer, is_large FROM taken`;

/** Moves changes to the end of the slow lane (the queue for large documents), in a transaction that holds its lock. */
export const putChangesLast = async (db: Pick<Client, 'query'>, changes: readonly string[]): Promise<void> =>
  void (await db.query(lastQuery, [changes]));

const setPlacesAsideQuery = statement('set-documents-aside')`
  WITH changed AS (SELECT $4::text AS repository, $5::uuid AS id),
  gone AS (
    DELETE FROM search_document s USING changed c WHERE s.repository = c.repository AND s.id = c.id RETURNING s.id
  )
  ${jobsOfChanged}`;

const jobValues = (error: unknown): readonly unknown[] => {
  const reason = setAsideReason(error).replaceAll('\0', '').slice(0, 500);
  return faultOf(error) === 'time' ? ['waiting', delaysOfDocument[0], reason] : ['set-aside', 0, reason];
};

/**
 * Sets aside the document that the changes belong to, because it cannot be indexed. The transaction must hold the lock
 * of the slow lane.
 * @returns the document, unless another process has already indexed it
 */
export async function setChangesAside(
  db: Pick<Client, 'query'>,
  changes: readonly string[],
  error: unknown,
): Promise<DocumentPlace | undefined> {
  return (await db.query(setAsideQuery, [...jobValues(error), changes]))[0];
}

/** Sets aside a document that cannot be indexed while an index is being built or compared. */
export const setDocumentAside = async (
  { query }: Pick<Client, 'query'> | Pick<ConnectionApart, 'query'>,
  { repository, id }: DocumentPlace,
  error: unknown,
): Promise<void> => void (await query(setPlacesAsideQuery, [...jobValues(error), repository, id]));

/**
 * Processes a list of documents. If this fails because of a document, each half of the list is retried separately,
 * until every faulty document has been isolated. Finding one faulty document among n takes about 2 log n calls.
 * @param onFault called with each document that still fails when it is processed alone
 */
export async function inHalves<Place extends DocumentPlace>(
  documents: readonly Place[],
  work: (documents: readonly Place[]) => Promise<void>,
  onFault: (document: Place, error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await work(documents);
  } catch (error) {
    const fault = faultOf(error);
    const [first] = documents;
    if (fault === undefined || fault === 'lock' || first === undefined) throw error;
    if (documents.length === 1) return onFault(first, error);
    const half = Math.ceil(documents.length / 2);
    await inHalves(documents.slice(0, half), work, onFault);
    await inHalves(documents.slice(half), work, onFault);
  }
}
