import { Invalid, NotFound } from '../../errors.ts';
import { type CommentKind, commentedId, commentKind } from '../../model/comments/comment-tree.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/** One of the two is given. */
export interface CommentKey {
  readonly commentId?: string | null | undefined;
  readonly entityId?: string | null | undefined;
}

/**
 * A comment on a document, on a comment below it or on a document below it.
 * @throws NotFound; Forbidden without Read; Invalid without a key
 */
export async function findComment(
  context: Context,
  document: DocumentRow,
  { commentId, entityId }: CommentKey,
  kind: CommentKind,
): Promise<DocumentRow> {
  const key = commentId ?? entityId;
  if (typeof key !== 'string') throw new Invalid('commentId, entityId: one of them must be given');
  requireStorable(key);
  const { load } = context;
  const row =
    typeof commentId === 'string'
      ? await load.documentById.load(key)
      : await load.commentOfEntity({ kind, inside: document.id, entityId: key });
  const isComment =
    row && commentedId(row) !== undefined && commentKind(context.services.model, row.type) === kind;
  if (!isComment || !row.ancestorIds.includes(document.id))
    throw new NotFound(`The ${kind.toLowerCase()} ${key} does not exist.`);
  return row;
}
