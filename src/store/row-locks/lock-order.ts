// Every transaction takes its locks in this order, so that no two transactions can wait for each other. The section
// "Row locks" of docs/architecture.md explains why this works and where the order cannot be kept.
//
// 1  advisory locks      advisory-locks.ts: an idempotency key (never waited for); a user's executions, bulk actions and uploads;
//                        identities of users at providers; new ids of users and groups; nesting of groups
// 2  moves               advisory-locks.ts: one lock per repository, exclusive for moving documents, shared for locking
//                        documents along with their ancestors
// 3  documents           lock-all-documents.ts: the whole table, before anything else.
//                        Otherwise, single documents from the top of the tree down, by depth, then by id (`topDown`):
//                        lock-ancestors.ts, lock-document.ts, lock-documents.ts, lock-with-ancestors.ts,
//                        lock-with-folders.ts, lock-for-deletion.ts
// 4  workflows           lock-workflow.ts, lock-task.ts: after their documents; a task is locked by locking its workflow
// 5  users, then groups  lock-authorities.ts, lock-credentials.ts: by id
// 6  directory entries   store/directories/: by id; tokens and OAuth 2.0 clients are directory entries
// 7  effective ACLs      store/acls/: by id; updating `used_at` locks them
// 8  upload batches      lock-upload.ts
// 9  emails              advisory-locks.ts: one lock per user
//
// The following locks are not part of the order, because transactions that take them take no others:
// - the search index: one advisory lock for indexing large documents (the slow lane), then one for small documents (the
//   fast lane), others for the connections that build its indexes, and the row of a build (lock-index-build.ts)
// - webhooks: lock-webhooks.ts, for the job that disables their trigger
//
// Locks of the most frequent writes:
//
// change a document            the document, NO KEY UPDATE
// create a document            its parent, SHARE, so that it is neither moved nor deleted; with an ACL, first its ancestors, KEY SHARE
// create or overwrite by name  the parent, NO KEY UPDATE, so that only one of two transactions creates the document
// change an ACL                the ancestors, KEY SHARE; the document, UPDATE; then the subtree, NO KEY UPDATE
// move, copy, trash            the move lock; the document and both folders, UPDATE or SHARE; all ancestors, KEY SHARE
// delete documents             the documents, their subtrees and proxies, and the related collections and members, UPDATE
// restore a version            the live document and the members that are added or removed
// complete a task              the documents with their ancestors, then the workflow, UPDATE
// change a user or group       its row, NO KEY UPDATE (deletion: UPDATE); the rows that it will refer to, KEY SHARE
//
// To add a row lock, add a file to this folder and a line to this list.

/** The row lock modes of PostgreSQL, from weakest to strongest. */
export type LockMode = 'KEY SHARE' | 'SHARE' | 'NO KEY UPDATE' | 'UPDATE';

/**
 * The final clauses of a SELECT on documents `d` that lock the rows in the same order everywhere.
 * @param wait with NOWAIT, the statement fails instead of waiting, and the transaction is retried
 */
export const topDown = (mode: LockMode, wait: '' | 'NOWAIT' = ''): string =>
  `ORDER BY cardinality(d.ancestor_ids), d.id FOR ${mode} OF d ${wait}`;

/** The final clauses of a SELECT that lock the rows of a table without a tree, ordered by id. */
export const inIdOrder = (mode: LockMode): string => `ORDER BY id FOR ${mode}`;
