import type { Client } from '../../db/database.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { statement } from '../../db/statement.ts';

// Advisory locks, which belong to no row and last until the transaction ends. Each kind of lock has a number,
// as the second argument or a constant, so that locks of different kinds never collide.

type Locks = Pick<Client, 'query'>;

/**
 * SQL condition: the transaction gets the lock of an idempotency key. It never waits. Of two equal requests
 * at the same time, the first is served and the other one is refused.
 */
export const tryKeyLock = (parameter: string): string =>
  `pg_try_advisory_xact_lock(hashtextextended(${parameter}, 0))`;

const pending = statement('lock-pending')`SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`;

/**
 * Serializes how a user starts executions or bulk actions: each start counts the earlier ones against a
 * limit.
 */
export const lockPending = async (
  db: Locks,
  user: string,
  what: 'executions' | 'bulk actions',
): Promise<void> => void (await db.query(pending, [`${what} ${user}`]));

/**
 * SQL that serializes the uploads of a user: each counts the space that earlier ones use against the quota.
 */
export const lockUploads = (parameter: string): string =>
  `pg_advisory_xact_lock(hashtextextended(${parameter}, 2))`;

const mails = statement('lock-mails')`SELECT pg_advisory_xact_lock(hashtextextended($1, 3))`;

/** Serializes the mails of a user, each of which counts the earlier ones. The last lock of a transaction. */
export const lockMails = async (db: Locks, user: string): Promise<void> =>
  void (await db.query(mails, [user]));

const newAuthority = statement('lock-new-authority')`SELECT pg_advisory_xact_lock(hashtextextended($1, 8))`;

/**
 * Serializes creating users and groups whose ids differ only in case, so that only one of them is created.
 */
export const lockNewAuthority = async (db: Locks, foldedId: string): Promise<void> =>
  void (await db.query(newAuthority, [foldedId]));

type IndexLocks = Locks | Pick<ConnectionApart, 'query'>;

const fastLane = statement('lock-fast-lane')`
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 4))`;

/** Lets one transaction at a time index small documents, so that each sees the rows of the one before. */
export const lockFastLane = async (db: IndexLocks): Promise<void> => void (await db.query(fastLane, []));

const slowLane = statement('lock-slow-lane')`
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 7))`;

/** Lets one transaction at a time index documents that take long, while others index small ones. */
export const lockSlowLane = async (db: IndexLocks): Promise<void> => void (await db.query(slowLane, []));

/**
 * Lets only one transaction write the search index. It takes the lock of the slow lane first: while it waits
 * for that, the fast lane goes on.
 */
export async function lockSearchIndex(db: IndexLocks): Promise<void> {
  await lockSlowLane(db);
  await lockFastLane(db);
}

const searchIndexes = statement('lock-search-indexes', { isFree: 'bool' })`
  SELECT pg_try_advisory_lock(hashtextextended(current_schema(), 5)) AS "isFree"`;

/**
 * Tries to get the lock for creating and dropping indexes of the search index, which a connection then holds
 * until it ends. The lock belongs to a connection because CREATE INDEX CONCURRENTLY runs in no transaction.
 * It is never waited for: CREATE INDEX CONCURRENTLY waits for all running statements, so it would wait for
 * the waiting one.
 * @returns whether the connection has the lock.
 */
export async function tryLockSearchIndexes({ query }: ConnectionApart): Promise<boolean> {
  const [row] = await query(searchIndexes, []);
  return row?.isFree === true;
}

const builder = statement(
  'lock-as-builder',
)`SELECT pg_advisory_lock_shared(hashtextextended(current_schema(), 6))`;

/**
 * Marks a connection, until it ends, as one that writes rows or creates indexes for a build of the search
 * index.
 */
export const lockAsBuilder = async ({ query }: ConnectionApart): Promise<void> =>
  void (await query(builder, []));

const builders = statement('lock-out-builders')`
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 6))`;

/**
 * Waits until no connection helps a build any more. PostgreSQL may still run statements of a process that was
 * killed.
 */
export const lockOutBuilders = async ({ query }: ConnectionApart): Promise<void> =>
  void (await query(builders, []));

// An arbitrary number that no other lock uses.
const nestingNumber = 7_115_472;

const nesting = statement('lock-nesting')`SELECT pg_advisory_xact_lock($1)::text`;

/**
 * Serializes changes of groups that contain groups. Each sees the one before; without the lock, two changes
 * could together make a group contain itself. It must be taken before any row lock.
 */
export const lockNesting = async (db: Locks): Promise<void> =>
  void (await db.query(nesting, [nestingNumber]));

const moves = {
  exclusive: statement('lock-moves')`SELECT pg_advisory_xact_lock(hashtext($1), 1)`,
  shared: statement('lock-out-moves')`SELECT pg_advisory_xact_lock_shared(hashtext($1), 1)`,
};

/**
 * Keeps moves of documents apart from transactions that lock documents with their ancestors. Rows are locked
 * in the order of their depth, which a move changes. This lock must be taken before the rows.
 */
export const lockMoves = async (db: Locks, repository: string, as: keyof typeof moves): Promise<void> =>
  void (await db.query(moves[as], [repository]));
