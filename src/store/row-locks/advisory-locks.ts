import type { Client } from '../../db/database.ts';
import type { ConnectionApart } from '../../db/driver.ts';
import { statement } from '../../db/statement.ts';

// Locks without a row, until the transaction ends. They are numbers: a second argument, or a constant, keeps
// those of one kind apart from the others.

type Locks = Pick<Client, 'query'>;

/**
 * SQL: whether the transaction gets the lock of an idempotency key. It never waits: the first of two equal
 * requests works, and the other one is refused.
 */
export const tryKeyLock = (parameter: string): string =>
  `pg_try_advisory_xact_lock(hashtextextended(${parameter}, 0))`;

const pending = statement('lock-pending')`SELECT pg_advisory_xact_lock(hashtextextended($1, 1))`;

/** Serializes what one user begins of a kind: each counts those before it, of which there is a limit. */
export const lockPending = async (
  db: Locks,
  user: string,
  what: 'executions' | 'bulk actions',
): Promise<void> => void (await db.query(pending, [`${what} ${user}`]));

/** SQL: serializes the uploads of one user, each of which counts what those before it have left. */
export const lockUploads = (parameter: string): string =>
  `pg_advisory_xact_lock(hashtextextended(${parameter}, 2))`;

const mails = statement('lock-mails')`SELECT pg_advisory_xact_lock(hashtextextended($1, 3))`;

/** Serializes the mails of one user, each of which counts those before it; the last lock of a transaction. */
export const lockMails = async (db: Locks, user: string): Promise<void> =>
  void (await db.query(mails, [user]));

const newAuthority = statement('lock-new-authority')`SELECT pg_advisory_xact_lock(hashtextextended($1, 8))`;

/** Serializes the creation of users and groups of one folded id: each looks for those of before. */
export const lockNewAuthority = async (db: Locks, foldedId: string): Promise<void> =>
  void (await db.query(newAuthority, [foldedId]));

type IndexLocks = Locks | Pick<ConnectionApart, 'query'>;

const fastLane = statement('lock-fast-lane')`
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 4))`;

/** Lets one transaction at a time index small documents; each sees the rows of the one before. */
export const lockFastLane = async (db: IndexLocks): Promise<void> => void (await db.query(fastLane, []));

const slowLane = statement('lock-slow-lane')`
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 7))`;

/** Lets one transaction at a time index documents that take long, while others index small ones. */
export const lockSlowLane = async (db: IndexLocks): Promise<void> => void (await db.query(slowLane, []));

/**
 * Lets one transaction alone write the search index. The lock of the slow lane comes first: the fast lane goes on while
 * this transaction waits for it.
 */
export async function lockSearchIndex(db: IndexLocks): Promise<void> {
  await lockSlowLane(db);
  await lockFastLane(db);
}

const searchIndexes = statement('lock-search-indexes', { isFree: 'bool' })`
  SELECT pg_try_advisory_lock(hashtextextended(current_schema(), 5)) AS "isFree"`;

/**
 * Whether a connection may make and drop indexes of the search index, until it ends: an index that is made
 * beside writers belongs to no transaction. It never waits, since such an index waits for all who do.
 */
export async function tryLockSearchIndexes({ query }: ConnectionApart): Promise<boolean> {
  const [row] = await query(searchIndexes, []);
  return row?.isFree === true;
}

const builder = statement(
  'lock-as-builder',
)`SELECT pg_advisory_lock_shared(hashtextextended(current_schema(), 6))`;

/** Marks a connection, until it ends, as one that lays rows or makes indexes beside that of the build. */
export const lockAsBuilder = async ({ query }: ConnectionApart): Promise<void> =>
  void (await query(builder, []));

const builders = statement('lock-out-builders')`
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 6))`;

/** Waits for those of a process that was killed, whose statements PostgreSQL still runs. */
export const lockOutBuilders = async ({ query }: ConnectionApart): Promise<void> =>
  void (await query(builders, []));

// Any number that no other lock has.
const nestingNumber = 7_115_472;

const nesting = statement('lock-nesting')`SELECT pg_advisory_xact_lock($1)::text`;

/**
 * Serializes changes of groups in groups: each sees the one before, so that no group contains itself. It must
 * be taken before any row lock.
 */
export const lockNesting = async (db: Locks): Promise<void> =>
  void (await db.query(nesting, [nestingNumber]));

const moves = {
  alone: statement('lock-moves')`SELECT pg_advisory_xact_lock(hashtext($1), 1)`,
  shared: statement('lock-out-moves')`SELECT pg_advisory_xact_lock_shared(hashtext($1), 1)`,
};

/**
 * Keeps moves of documents apart from transactions that lock documents with their ancestors: a move changes
 * the depth by which rows are locked. It must be taken before the rows.
 */
export const lockMoves = async (db: Locks, repository: string, as: keyof typeof moves): Promise<void> =>
  void (await db.query(moves[as], [repository]));
