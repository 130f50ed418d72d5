import { Conflict, Invalid } from '../../errors.ts';
import { createAccess, readPermissionFor, requirePermission } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { findDocument } from '../../loaders/documents/unchecked.ts';
import {
  type CommentKind,
  commentDepth,
  commentedId,
  commentKind,
  commentRootId,
  commentRootType,
} from '../../model/comments/comment-tree.ts';
import { typeDefaults } from '../../model/defaults.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { nameCandidates } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { effectiveEntries, entriesId, isGuest } from '../../security/acl.ts';
import { storeEffectiveAcls } from '../acls/assign-effective-acls.ts';
import { insertNamed, newRow } from '../documents/create-document.ts';
import { creationProperties } from '../documents/dublin-core.ts';
import { withoutUnset } from '../documents/properties.ts';
import { insertDocument } from '../documents/write-document.ts';
import { lockDocumentUnchecked } from '../row-locks/lock-document.ts';
import { type CommentInput, commentProperties, dateOr, externalFacet, isExternal } from './comment-fields.ts';
import { concernedBy, concernsIn } from './concerned.ts';
import { notifySubscribers } from './notify-subscribers.ts';

/** The maximum number of levels in a thread, including the level of the comment itself. */
const maxLevels = 50;

/** The location of a new comment. */
interface CommentPlace {
  /** The document or comment that the new comment is on. */
  readonly subject: DocumentRow;
  readonly document: DocumentRow;
  /** The parent of the new comment in the tree. */
  readonly parent: DocumentRow;
}

const rootOf = ({ db, options }: Scope, id: string): Promise<DocumentRow | null> =>
  db.prisma.document.findUnique({
    where: { repository_id: { repository: options.repository, id: commentRootId(id) } },
  }) as Promise<DocumentRow | null>;

/**
 * The name of the folder that contains the comments on a document. A version has the same path as its live document, so
 * its folder needs a different name.
 */
const rootName = ({ id, isVersion }: DocumentRow): string => (isVersion ? `Comments.${id}` : 'Comments');

/** The id of the effective ACL of the comments folder. For a version, this ACL is stored first. */
async function aclOfRoot(scope: Scope, { aclId, isVersion, repository }: DocumentRow): Promise<string> {
  if (!isVersion) return aclId;
  const above = await createAccess(scope).entries(aclId);
  const entries = effectiveEntries([], above, true);
  const id = entriesId(entries);
  await storeEffectiveAcls(scope.db, repository, new Map([[id, entries]]));
  return id;
}

/**
 * Returns the folder for the comments on a document. If several transactions need a new folder at the same time, one of
 * them creates it; the others wait for its unique key and then read its row.
 */
async function rootFor(scope: Scope, document: DocumentRow): Promise<DocumentRow> {
  const found = await rootOf(scope, document.id);
  if (found) return found;
  const properties = {
    ...typeDefaults(scope.services.model, commentRootType),
    ...creationProperties(scope.user, new Date().toISOString(), { 'dc:title': 'Comments' }),
  };
  const aclId = await aclOfRoot(scope, document);
  for (const name of nameCandidates(rootName(document))) {
    const id = commentRootId(document.id);
    const row = { ...newRow(document, { name, type: commentRootType, properties }), id, aclId };
    if (await insertDocument(scope, row, [])) return row;
    const made = await rootOf(scope, document.id);
    if (made) return made;
  }
  throw new Conflict(`The folder for the comments on ${document.id} could not be created. Try again.`);
}

/**
 * Locks the document or comment that is commented on, so that its path and ACL do not change before the commit.
 * @throws NotFound; Forbidden without Read, and for guests without Comment; Invalid for a reply that is nested too deeply
 */
async function lockCommentPlace(scope: Scope, reference: DocumentReference): Promise<CommentPlace> {
  const subject = await lockDocumentUnchecked(scope, reference, 'SHARE');
  await requirePermission(scope, subject, readPermissionFor(subject));
  const id = commentedId(subject);
  const document = id === undefined ? subject : await findDocument(scope, { id });
  if (isGuest(scope.user.id)) await requirePermission(scope, document, 'Comment');
  if (id === undefined) return { subject, document: subject, parent: await rootFor(scope, subject) };
  if (!commentKind(scope.services.model, subject.type))
    throw new Invalid(`${subject.id} is a folder for comments and cannot be commented on.`);
  if (commentDepth(subject) >= maxLevels)
    throw new Invalid(`A thread can have at most ${maxLevels} levels of replies.`);
  return { subject, document, parent: subject };
}

/** The ids of the document and of the comments above a new comment, starting with the document. */
const idsAbove = ({ subject, document }: CommentPlace): string[] => {
  const at = subject.ancestorIds.indexOf(document.id);
  return at < 0 ? [document.id] : [document.id, ...subject.ancestorIds.slice(at + 2), subject.id];
};

/**
 * Adds a comment to a document, or a reply to a comment. The caller needs only Read.
 * @throws NotFound, Forbidden, Invalid, Unprocessable
 */
export async function createComment(
  scope: Scope,
  reference: DocumentReference,
  { kind, ...input }: CommentInput & { readonly kind: CommentKind },
): Promise<DocumentRow> {
  if (input.resolved) throw new Invalid('resolved: a new comment cannot be resolved; resolve it afterwards.');
  const properties = await commentProperties(scope, kind, input);
  const now = new Date().toISOString();
  const creationDate = dateOr(input.creationDate, 'creationDate', now);
  const place = await lockCommentPlace(scope, reference);
  const row = newRow(place.parent, {
    name: `comment.${Date.now()}`,
    type: kind,
    properties: withoutUnset({
      ...typeDefaults(scope.services.model, kind),
      ...creationProperties(scope.user, now, {}),
      ...properties,
      'comment:author': scope.user.id,
      'comment:parentId': place.subject.id,
      'comment:ancestorIds': idsAbove(place),
      'comment:creationDate': creationDate,
      // The modification date remains unset until the comment is changed.
      'comment:modificationDate': dateOr(input.modificationDate, 'modificationDate', null),
    }),
  });
  const facets = isExternal(properties) ? [externalFacet] : [];
  const { document } = place;
  const concerned = await concernedBy(scope, document, properties, { above: idsAbove(place).slice(1) });
  const made = await insertNamed(scope, { ...row, facets }, ({ id }) => [
    { eventId: 'commentAdded', document, extended: { commentId: id }, concerns: concernsIn(concerned) },
  ]);
  await notifySubscribers(scope, { document, comment: made, name: 'CommentAdded', concerned });
  return made;
}
