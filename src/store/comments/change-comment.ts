import { DocumentNotFound, Forbidden } from '../../errors.ts';
import { createAccess, notGranted } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { findDocument } from '../../loaders/documents/unchecked.ts';
import { commentedId, commentKind } from '../../model/comments/comment-tree.ts';
import type { Scope } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { changeByServer } from '../documents/change-by-server.ts';
import { deleteTrees } from '../documents/delete-document.ts';
import { lockDocumentUnchecked } from '../row-locks/lock-document.ts';
import { type CommentInput, commentProperties, dateOr, externalFacet, isExternal } from './comment-fields.ts';
import { concernedBy, concernsIn } from './concerned.ts';
import { notifySubscribers } from './notify-subscribers.ts';
import { resolveThread } from './resolve-thread.ts';

/**
 * Returns the document that a comment is on, if the caller can read the comment.
 * @throws NotFound; Forbidden
 */
async function commentedBy(scope: Scope, row: DocumentRow): Promise<DocumentRow> {
  const documentId = commentedId(row);
  if (documentId === undefined || !commentKind(scope.services.model, row.type))
    throw new DocumentNotFound(row.id);
  const document = await findDocument(scope, { id: documentId });
  if (!(await createAccess(scope).may(row, 'Read'))) throw notGranted(scope, 'Read', { id: row.id });
  return document;
}

/** @throws Forbidden unless the caller wrote the comment or has Everything on the document */
async function requireOwn(scope: Scope, document: DocumentRow, row: DocumentRow): Promise<void> {
  const isAuthor = row.properties['comment:author'] === scope.user.id;
  if (isAuthor || (await createAccess(scope).may(document, 'Everything'))) return;
  throw new Forbidden(`The user ${scope.user.id} cannot change the comment ${row.id}`);
}

const isSet = (value: unknown): boolean => value !== undefined;

/**
 * Changes a comment, resolves or reopens its thread, or both. Fields that are absent remain unchanged, as do the author
 * and the creation date.
 * @throws NotFound, Forbidden, Invalid, Unprocessable
 */
export async function updateComment(
  scope: Scope,
  id: string,
  { resolved, ...input }: CommentInput,
): Promise<DocumentRow> {
  const found = await lockDocumentUnchecked(scope, { id }, 'NO KEY UPDATE');
  const document = await commentedBy(scope, found);
  const isResolving = typeof resolved === 'boolean';
  const row = isResolving ? await resolveThread(scope, document, found, resolved) : found;
  if (isResolving && !Object.values(input).some(isSet)) return row;
  await requireOwn(scope, document, row);
  const kind = commentKind(scope.services.model, row.type) ?? 'Comment';
  const written = await commentProperties(scope, kind, input, row.properties);
  const now = new Date().toISOString();
  const properties = {
    ...written,
    'comment:modificationDate': dateOr(input.modificationDate, 'modificationDate', now),
    'dc:modified': now,
    'dc:lastContributor': scope.user.id,
  };
  const others = row.facets.filter((facet) => facet !== externalFacet);
  const facets = isExternal(properties) ? [...others, externalFacet] : others;
  const concerned = await concernedBy(scope, document, written, { before: row.properties['comment:text'] });
  const extended = { commentId: row.id };
  const event = { eventId: 'commentUpdated', document, extended, concerns: concernsIn(concerned) } as const;
  const [changed] = await changeByServer(scope, [{ row, facets, properties }], () => [event]);
  const comment = changed ?? row;
  await notifySubscribers(scope, { document, comment, name: 'CommentUpdated', concerned });
  return comment;
}

/**
 * Deletes a comment along with its replies.
 * @throws NotFound, Forbidden
 */
export async function deleteComment(scope: Scope, id: string): Promise<string> {
  const row = await findDocument(scope, { id });
  const document = await commentedBy(scope, row);
  await requireOwn(scope, document, row);
  if (!(await deleteTrees(scope, [row]))) throw new DocumentNotFound(row.id);
  await recordEvents(scope, [{ eventId: 'commentRemoved', document, extended: { commentId: row.id } }]);
  return row.id;
}
