import { Conflict, Invalid } from '../../errors.ts';
import { createAccess, readPermissionFor, requirePermission } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { findDocument } from '../../loaders/documents/unchecked.ts';
import {
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
import { effectiveEntries, entriesId } from '../../security/acl.ts';
import { keepEffectiveAcls } from '../acls/assign-effective-acls.ts';
import { newRow } from '../documents/create-document.ts';
import { creationProperties } from '../documents/dublin-core.ts';
import { insertDocument } from '../documents/write-document.ts';
import { lockDocumentUnchecked } from '../row-locks/lock-document.ts';

/** Replies to replies, with the comment itself. */
const deepest = 50;

export interface CommentPlace {
  /** What is commented on: the document, or the comment that is replied to. */
  readonly subject: DocumentRow;
  readonly document: DocumentRow;
  /** Below which the new comment is put. */
  readonly parent: DocumentRow;
}

const rootOf = ({ db, options }: Scope, id: string): Promise<DocumentRow | null> =>
  db.prisma.document.findUnique({
    where: { repository_id: { repository: options.repository, id: commentRootId(id) } },
  }) as Promise<DocumentRow | null>;

/** A version has the path of its document. */
const rootName = ({ id, isVersion }: DocumentRow): string => (isVersion ? `Comments.${id}` : 'Comments');

async function aclOfRoot(scope: Scope, { aclId, isVersion, repository }: DocumentRow): Promise<string> {
  if (!isVersion) return aclId;
  const above = await createAccess(scope).entries(aclId);
  const entries = effectiveEntries([], above, true);
  const id = entriesId(entries);
  await keepEffectiveAcls(scope.db, repository, new Map([[id, entries]]));
  return id;
}

/** Of concurrent transactions one creates the folder; the others wait on its key and read its row. */
async function rootFor(scope: Scope, document: DocumentRow): Promise<DocumentRow> {
  const found = await rootOf(scope, document.id);
  if (found) return found;
  const properties = {
    ...typeDefaults(scope.model, commentRootType),
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
  throw new Conflict(`the comments on ${document.id} have no place; try again`);
}

/**
 * Locks what is commented on, so that path and ACL stay as they are until the commit.
 * @throws NotFound; Forbidden without Read; Invalid too far down a thread
 */
export async function lockCommentPlace(scope: Scope, reference: DocumentReference): Promise<CommentPlace> {
  const subject = await lockDocumentUnchecked(scope, reference, 'SHARE');
  await requirePermission(scope, subject, readPermissionFor(subject));
  const id = commentedId(subject);
  if (id === undefined) return { subject, document: subject, parent: await rootFor(scope, subject) };
  if (!commentKind(scope.model, subject.type)) throw new Invalid(`${subject.id} is a folder of comments`);
  if (commentDepth(subject) >= deepest)
    throw new Invalid(`a thread has at most ${deepest} levels of replies`);
  return { subject, document: await findDocument(scope, { id }), parent: subject };
}
