import { hashId } from '../hash-id.ts';
import type { Model } from '../model.ts';

/** The type of the hidden folder that contains the comments on a document. */
export const commentRootType = 'CommentRoot';

export type CommentKind = 'Comment' | 'Annotation';

type Types = Pick<Model, 'types'>;

/**
 * Returns whether a document type is Comment or Annotation, or inherits from one of them; undefined for all other
 * types.
 */
export function commentKind({ types }: Types, type: string): CommentKind | undefined {
  for (let name: string | undefined = type; name; name = types.get(name)?.parent)
    if (name === 'Annotation' || name === 'Comment') return name;
  return undefined;
}

export const commentTypes = ({ types }: Types, kind: CommentKind): string[] =>
  [...types.keys()].filter((type) => commentKind({ types }, type) === kind);

export const typesOfComments = (types: Types): string[] => [
  commentRootType,
  ...commentTypes(types, 'Comment'),
  ...commentTypes(types, 'Annotation'),
];

/** The id of a comment folder is the hash of this prefix and the id of the commented document. */
export const commentRootText = 'comments on ';

/**
 * Returns the id of the folder that contains the comments on a document. Documents that callers create never have
 * this id.
 */
export const commentRootId = (documentId: string): string => hashId(commentRootText + documentId);

interface Placed {
  readonly id: string;
  readonly ancestorIds: readonly string[];
}

/** Returns the index of the commented document in `ancestorIds`. The next entry is the comment folder. */
const commentedIndex = ({ id, ancestorIds }: Placed): number => {
  const path = [...ancestorIds, id];
  return path.findIndex((each, at) => at + 1 < path.length && path[at + 1] === commentRootId(each));
};

/** Returns the id of the document that a comment, a reply or a comment folder belongs to. */
export const commentedId = (row: Placed): string | undefined => row.ancestorIds[commentedIndex(row)];

/**
 * Returns the level of a comment in its thread: 0 for the comment folder, 1 for a comment, 2 for a reply to a
 * comment.
 */
export const commentDepth = (row: Placed): number => row.ancestorIds.length - commentedIndex(row) - 1;
