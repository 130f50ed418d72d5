import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { CommentKind } from '../../model/comments/comment-tree.ts';
import { typeDefaults } from '../../model/defaults.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import { insertNamed, newRow } from '../documents/create-document.ts';
import { creationProperties } from '../documents/dublin-core.ts';
import { withoutUnset } from '../documents/properties.ts';
import {
  type CommentInput,
  commentProperties,
  externalFacet,
  givenDate,
  isExternal,
} from './comment-fields.ts';
import { type CommentPlace, lockCommentPlace } from './comment-place.ts';
import { notifySubscribers } from './notify-subscribers.ts';

/** The document first. */
const idsAbove = ({ subject, document }: CommentPlace): string[] => {
  const at = subject.ancestorIds.indexOf(document.id);
  return at < 0 ? [document.id] : [document.id, ...subject.ancestorIds.slice(at + 2), subject.id];
};

/**
 * Comments on a document, or replies to a comment. Read is enough.
 * @throws NotFound, Forbidden, Invalid, Unprocessable
 */
export async function createComment(
  scope: Scope,
  reference: DocumentReference,
  { kind, ...given }: CommentInput & { readonly kind: CommentKind },
): Promise<DocumentRow> {
  const properties = await commentProperties(scope, kind, given);
  const now = new Date().toISOString();
  const creationDate = givenDate(given.creationDate, 'creationDate', now);
  const place = await lockCommentPlace(scope, reference);
  const row = newRow(place.parent, {
    name: `comment.${Date.now()}`,
    type: kind,
    properties: withoutUnset({
      ...typeDefaults(scope.model, kind),
      ...creationProperties(scope.user, now, {}),
      ...properties,
      'comment:author': scope.user.id,
      'comment:parentId': place.subject.id,
      'comment:ancestorIds': idsAbove(place),
      'comment:creationDate': creationDate,
      // It stays unset until the comment is edited.
      'comment:modificationDate': givenDate(given.modificationDate, 'modificationDate', null),
    }),
  });
  const facets = isExternal(properties) ? [externalFacet] : [];
  const { document } = place;
  const made = await insertNamed(scope, { ...row, facets }, ({ id }) => [
    { eventId: 'commentAdded', document, extended: { commentId: id } },
  ]);
  await notifySubscribers(scope, { document, comment: made, name: 'CommentAdded' });
  return made;
}
