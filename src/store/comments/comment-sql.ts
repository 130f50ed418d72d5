import { commentRootText } from '../../model/comments/comment-tree.ts';
import { sqlHashId } from '../../model/hash-id.ts';

/** SQL for whether a row `d` has a `commentedId`; `types` are `typesOfComments`. */
export const isCommentSql = (types: string): string => `(d.type = ANY(${types}::text[]) AND EXISTS (
  SELECT FROM unnest(d.ancestor_ids, d.ancestor_ids[2:] || d.id) AS step (above, below)
  WHERE step.below = ${sqlHashId(`'${commentRootText}' || step.above::text`)}
))`;
