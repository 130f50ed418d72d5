import { Invalid, NotFound } from '../../errors.ts';
import { type CommentKind, commentedId, commentKind } from '../../model/comments/comment-tree.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/** Identifies a comment by its id or by the id of its external entity; exactly one of them is set. */
export interface CommentKey {
  readonly commentId?: string | null | undefined;
  readonly entityId?: string | null | undefined;
}

/**
 * Finds a comment on a document, on one of its comments, or on a document below it.
 * @throws NotFound; Forbidden without Read; Invalid without a key
 */
export async function findComment(
  context: Context,
  document: DocumentRow,
  { commentId, entityId }: CommentKey,
  kind: CommentKind,
): Promise<DocumentRow> {
  const key = commentId ?? entityId;
  if (typeof key !== 'string') throw new Invalid('One of commentId and entityId is required.');
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
