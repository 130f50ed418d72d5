import type { Client } from '../../db/database.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { statement } from '../../db/statement.ts';

// Advisory locks, which belong to no row and last until the transaction ends. Each kind of lock has a number, given as
// the second argument or as a constant, so that locks of different kinds never collide.

type Locks = Pick<Client, 'query'>;

/**
 * SQL condition that is true if the transaction gets the lock on an idempotency key. It never waits: of two equal
 * requests at the same time, the first one is served and the other one is rejected.
 */
export const tryKeyLock = (parameter: string): string =>
  `pg_try_advisory_xact_lock(hashtextextended(${parameter}, 0))`;

const pending = statement('lock-pending')`SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`;

/**
 * Serializes the starts of a user's executions or bulk actions, because each start counts the earlier ones towards a
 * limit.
 */
export const lockPending = async (
  db: Locks,
  user: string,
  what: 'executions' | 'bulk actions',
): Promise<void> => void (await db.query(pending, [`${what} ${user}`]));

/**
 * SQL that serializes the uploads of a user, because each upload counts the space that earlier ones use towards the
 * quota.
 */
export const lockUploads = (parameter: string): string =>
  `pg_advisory_xact_lock(hashtextextended(${parameter}, 2))`;

const mails = statement('lock-mails')`SELECT pg_advisory_xact_lock(hashtextextended($1, 3))`;

/**
 * Serializes the emails sent by a user, because each counts the earlier ones towards a limit. It must be the last lock
 * of a transaction.
 */
export const lockMails = async (db: Locks, user: string): Promise<void> =>
  void (await db.query(mails, [user]));

const newAuthority = statement('lock-new-authority')`SELECT pg_advisory_xact_lock(hashtextextended($1, 8))`;

/** Serializes the creation of users and groups whose ids differ only in case, so that only one of them is created. */
export const lockNewAuthority = async (db: Locks, foldedId: string): Promise<void> =>
  void (await db.query(newAuthority, [foldedId]));

const identity = statement('lock-identity')`SELECT pg_advisory_xact_lock(hashtextextended($1, 9))`;

/** Serializes the sign-ins with an identity, so that only the first of them creates a user. */
export const lockIdentity = async (db: Locks, provider: string, subject: string): Promise<void> =>
  void (await db.query(identity, [`${provider} ${subject}`]));

type IndexLocks = Locks | Pick<ConnectionApart, 'query'>;

const fastLane = statement('lock-fast-lane')`
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 4))`;

/**
 * Lets only one transaction at a time index small documents (the fast lane), so that each sees the rows written by the
 * previous one.
 */
export const lockFastLane = async (db: IndexLocks): Promise<void> => void (await db.query(fastLane, []));

const slowLane = statement('lock-slow-lane')`
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 7))`;

/** Lets only one transaction at a time index large documents (the slow lane), while others index small ones. */
export const lockSlowLane = async (db: IndexLocks): Promise<void> => void (await db.query(slowLane, []));

/**
 * Lets only one transaction write to the search index. It first takes the lock for large documents (the slow lane):
 * while it waits for that, small documents are still indexed.
 */
export async function lockSearchIndex(db: IndexLocks): Promise<void> {
  await lockSlowLane(db);
  await lockFastLane(db);
}

const searchIndexes = statement('lock-search-indexes', { isFree: 'bool' })`
  SELECT pg_try_advisory_lock(hashtextextended(current_schema(), 5)) AS "isFree"`;

/**
 * Tries to get the lock for creating and dropping indexes of the search index, which a connection then holds until it
 * ends. The lock belongs to a connection, because CREATE INDEX CONCURRENTLY cannot run inside a transaction.
 * Connections never wait for the lock: CREATE INDEX CONCURRENTLY waits for all running statements, so it would wait for
 * the statement that waits for the lock.
 * @returns whether the connection got the lock
 */
export async function tryLockSearchIndexes({ query }: ConnectionApart): Promise<boolean> {
  const [row] = await query(searchIndexes, []);
  return row?.isFree === true;
}

const builder = statement(
  'lock-as-builder',
)`SELECT pg_advisory_lock_shared(hashtextextended(current_schema(), 6))`;

/** Marks a connection, until it ends, as one that writes rows or creates indexes for a build of the search index. */
export const lockAsBuilder = async ({ query }: ConnectionApart): Promise<void> =>
  void (await query(builder, []));

const builders = statement('lock-out-builders')`
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 6))`;

/**
 * Waits until no other connection takes part in a build. The wait is needed because PostgreSQL may still be running
 * statements of a process that was killed.
 */
export const lockOutBuilders = async ({ query }: ConnectionApart): Promise<void> =>
  void (await query(builders, []));

// An arbitrary number that no other lock uses.
const nestingNumber = 7_115_472;

const nesting = statement('lock-nesting')`SELECT pg_advisory_xact_lock($1)::text`;

/**
 * Serializes changes to groups that contain groups. Each change sees the previous one; without the lock, two concurrent
 * changes could together make a group contain itself. The lock must be taken before any row lock.
 */
export const lockNesting = async (db: Locks): Promise<void> =>
  void (await db.query(nesting, [nestingNumber]));

const moves = {
  exclusive: statement('lock-moves')`SELECT pg_advisory_xact_lock(hashtext($1), 1)`,
  shared: statement('lock-out-moves')`SELECT pg_advisory_xact_lock_shared(hashtext($1), 1)`,
};

/**
 * Prevents documents from being moved while other transactions lock documents along with their ancestors. Rows are
 * locked in the order of their depth, which a move changes. This lock must be taken before the rows.
 */
export const lockMoves = async (db: Locks, repository: string, as: keyof typeof moves): Promise<void> =>
  void (await db.query(moves[as], [repository]));
