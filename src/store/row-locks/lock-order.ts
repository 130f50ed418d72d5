// Every transaction takes its locks in this order, so that no two wait for each other (docs/row-locks.md):
//
// 1  advisory locks      advisory-locks.ts: idempotency key, what a user begins, uploads, nesting of
//                        groups
// 2  moves               advisory-locks.ts: alone to move documents, shared to lock them with ancestors
// 3  documents           from the top of the tree down: by depth, then by id (`topDown`);
//                        lock-all-documents.ts: all of them, before anything else
// 4  workflows           lock-workflow.ts, after their documents; tasks go with their workflow
// 5  users, then groups  lock-authorities.ts, lock-credentials.ts, by id
// 6  directory entries   store/directories/, by id
// 7  effective ACLs      store/acls/, by id
// 8  upload batches      lock-upload.ts
// 9  mails               advisory-locks.ts, for each user
//
// The search index has an advisory lock of its own, which a transaction takes that locks nothing else;
// lock-webhooks.ts is of a job that then turns their trigger off.
//
// A new kind of row lock is one file here, and one line in this list.

/** The row locks of PostgreSQL, from the weakest: each conflicts with more of the others. */
export type LockMode = 'KEY SHARE' | 'SHARE' | 'NO KEY UPDATE' | 'UPDATE';

/**
 * Ends a SELECT of documents `d`, whose rows it locks in the common order.
 * @param wait with NOWAIT the transaction fails instead of waiting, and is run again.
 */
export const topDown = (mode: LockMode, wait: '' | 'NOWAIT' = ''): string =>
  `ORDER BY cardinality(d.ancestor_ids), d.id FOR ${mode} OF d ${wait}`;

/** The same of rows of another table, which have no depth. */
export const inIdOrder = (mode: LockMode): string => `ORDER BY id FOR ${mode}`;
