// Every transaction takes its locks in this order, so that no two wait for each other. The section "Row locks" of
// docs/architecture.md explains why that works and where it cannot be kept.
//
// 1  advisory locks      advisory-locks.ts: idempotency key (tried, never waited for), executions, bulk actions and uploads of a
//                        user, new user and group ids, nesting of groups
// 2  moves               advisory-locks.ts: one lock for each repository, exclusive to move documents, shared to lock documents
//                        with their ancestors
// 3  documents           lock-all-documents.ts: all of them, before anything else;
//                        otherwise from the top of the tree down, by depth, then by id (`topDown`): lock-ancestors.ts,
//                        lock-document.ts, lock-documents.ts, lock-with-ancestors.ts, lock-with-folders.ts, lock-for-deletion.ts
// 4  workflows           lock-workflow.ts, lock-task.ts: after their documents; tasks go with their workflow
// 5  users, then groups  lock-authorities.ts, lock-credentials.ts, by id
// 6  directory entries   store/directories/, by id; tokens and OAuth 2.0 clients are entries
// 7  effective ACLs      store/acls/, by id: writing `used_at` locks them
// 8  upload batches      lock-upload.ts
// 9  mails               advisory-locks.ts, for each user
//
// Outside of the order: the search index has one advisory lock for each of its two lanes, the slow lane's first, and the connections
// that build its indexes have others, which no other transaction takes; lock-index-build.ts locks the row of a build.
// lock-webhooks.ts is for the job that then turns their trigger off.
//
// What the most frequent writes lock:
//
// change a document            it, NO KEY UPDATE
// create a document            its parent, SHARE (it neither moves nor disappears); with an ACL, its ancestors, KEY SHARE, before
// create or overwrite by name  the parent, NO KEY UPDATE, so that one of two creates it
// change an ACL                the ancestors, KEY SHARE; the document, UPDATE; then the subtree, NO KEY UPDATE
// move, copy, trash            the document and both folders, UPDATE or SHARE; all ancestors, KEY SHARE; the move lock
// delete documents             them, all below, their proxies and the other ends of memberships, UPDATE
// restore a version            the live document with the members that change
// complete a task              the documents with their ancestors, then the workflow, UPDATE
// change a user or group       its row, NO KEY UPDATE (deletion: UPDATE); the rows that it will refer to, KEY SHARE
//
// A new kind of row lock is one file here and one line in this list.

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
