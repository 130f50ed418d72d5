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
import { notifySubscribers } from './notify-subscribers.ts';

/**
 * Returns the document that a comment is on, if the caller is allowed to change the comment.
 * @throws NotFound; Forbidden unless the caller wrote the comment or has Everything on the document
 */
async function requireOwn(scope: Scope, row: DocumentRow): Promise<DocumentRow> {
  const documentId = commentedId(row);
  if (documentId === undefined || !commentKind(scope.services.model, row.type))
    throw new DocumentNotFound(row.id);
  const document = await findDocument(scope, { id: documentId });
  const access = createAccess(scope);
  if (!(await access.may(row, 'Read'))) throw notGranted(scope, 'Read', { id: row.id });
  const isAuthor = row.properties['comment:author'] === scope.user.id;
  if (isAuthor || (await access.may(document, 'Everything'))) return document;
  throw new Forbidden(`The user ${scope.user.id} cannot change the comment ${row.id}`);
}

/**
 * Changes a comment. Fields that are absent remain unchanged, as do the author and the creation date.
 * @throws NotFound, Forbidden, Invalid, Unprocessable
 */
export async function updateComment(scope: Scope, id: string, input: CommentInput): Promise<DocumentRow> {
  const row = await lockDocumentUnchecked(scope, { id }, 'NO KEY UPDATE');
  const document = await requireOwn(scope, row);
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
  const event = { eventId: 'commentUpdated', document, extended: { commentId: row.id } } as const;
  const [changed] = await changeByServer(scope, [{ row, facets, properties }], () => [event]);
  const comment = changed ?? row;
  await notifySubscribers(scope, { document, comment, name: 'CommentUpdated' });
  return comment;
}

/**
 * Deletes a comment along with its replies.
 * @throws NotFound, Forbidden
 */
export async function deleteComment(scope: Scope, id: string): Promise<string> {
  const row = await findDocument(scope, { id });
  const document = await requireOwn(scope, row);
  if (!(await deleteTrees(scope, [row]))) throw new DocumentNotFound(row.id);
  await recordEvents(scope, [{ eventId: 'commentRemoved', document, extended: { commentId: row.id } }]);
  return row.id;
}
