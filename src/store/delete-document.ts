import type { Query } from '../db/database.ts';
import { Forbidden } from '../errors.ts';
import { notGranted, requirePermission } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { recorded, write } from './audit.ts';
import { type DocumentReference, lockDocument, requireMatch } from './lock-document.ts';

/**
 * Documents and all below them, held from the top down: as everybody takes them in this order, nobody who creates or
 * deletes below waits for us while we wait for him.
 */
const holdTree: Query = {
  name: 'hold-tree',
  text: `
    SELECT FROM document WHERE repository = $1 AND (id = ANY($2::uuid[]) OR ancestor_ids && $2::uuid[])
    ORDER BY cardinality(ancestor_ids), id FOR UPDATE`,
};

const parentQuery: Query = {
  name: 'acl-of-parent',
  text: `
    SELECT d.acl_id AS "aclId", d.lock_owner AS "lockOwner" FROM document d
    WHERE d.repository = $1 AND d.id = $2::uuid`,
};

/** §4.1: deleting needs a permission on the parent too. */
async function requireOnParent(scope: Scope, { repository, parentId }: DocumentRow): Promise<void> {
  if (parentId === null || scope.user.isAdministrator) return;
  const [parent] = await scope.db.query<Pick<DocumentRow, 'aclId' | 'lockOwner'>>(parentQuery, [
    repository,
    parentId,
  ]);
  if (!parent) throw notGranted(scope, 'RemoveChildren');
  await requirePermission(scope, parent, 'RemoveChildren');
}

/** Reads a document that is to be deleted, and holds it. @throws NotFound, Forbidden */
async function holdDoomed(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const document = await lockDocument(scope, reference, { hold: 'UPDATE', needs: 'Remove' });
  if (document.path === '/') throw new Forbidden('the root of a repository cannot be deleted');
  await requireOnParent(scope, document);
  return document;
}

/** A document created meanwhile below one of these is none of them yet: the foreign key takes it along. */
const deleteQuery = recorded(
  {
    name: 'delete-tree',
    text: `
      DELETE FROM document WHERE repository = $1 AND (id = ANY($2::uuid[]) OR ancestor_ids && $2::uuid[])
      RETURNING id`,
  },
  'first',
);

/** Deletes documents that are held, none of them in another, with everything below them. */
export async function deleteTrees(scope: Scope, documents: readonly DocumentRow[]): Promise<void> {
  const values = [scope.options.repository, documents.map(({ id }) => id)];
  await scope.db.query(holdTree, values);
  const events = documents.map((document) => ({ eventId: 'documentRemoved', document }));
  await write(scope, deleteQuery, values, events);
}

/**
 * Deletes a document and everything below it, for good (§3).
 * @param ifMatch change tokens, one of which must be the document's.
 * @returns the id of the document that was.
 * @throws NotFound, PreconditionFailed; Forbidden without the rights, and for the root, which every repository has.
 */
export async function deleteDocument(
  scope: Scope,
  reference: DocumentReference,
  ifMatch?: readonly string[] | null,
): Promise<string> {
  const document = await holdDoomed(scope, reference);
  requireMatch(document, ifMatch);
  await deleteTrees(scope, [document]);
  return document.id;
}

/**
 * Deletes documents, one of which may be in another, and everything below them.
 * @throws NotFound; Forbidden without the rights on each of them.
 */
export async function deleteDocuments(scope: Scope, references: readonly DocumentReference[]): Promise<void> {
  const doomed = new Map<string, DocumentRow>();
  for (const reference of references) {
    const document = await holdDoomed(scope, reference);
    doomed.set(document.id, document);
  }
  const tops = [...doomed.values()].filter(({ ancestorIds }) => !ancestorIds.some((id) => doomed.has(id)));
  if (tops.length > 0) await deleteTrees(scope, tops);
}
