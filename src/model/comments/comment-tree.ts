import { hashId } from '../hash-id.ts';
import type { Model } from '../model.ts';

/** The type of the hidden folder that contains the comments on a document. */
export const commentRootType = 'CommentRoot';

export type CommentKind = 'Comment' | 'Annotation';

type Types = Pick<Model, 'types'>;

/** Whether a document type is, or inherits from, Comment or Annotation; undefined for other types. */
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

/** The id of a comment folder is the hash of this text followed by the id of the commented document. */
export const commentRootText = 'comments on ';

/** The id of the folder with the comments on a document. Documents that callers create never have such an id. */
export const commentRootId = (documentId: string): string => hashId(commentRootText + documentId);

interface Placed {
  readonly id: string;
  readonly ancestorIds: readonly string[];
}

/** The index of the commented document in `ancestorIds`: the ancestor that the comment folder directly follows. */
const commentedIndex = ({ id, ancestorIds }: Placed): number => {
  const path = [...ancestorIds, id];
  return path.findIndex((each, at) => at + 1 < path.length && path[at + 1] === commentRootId(each));
};

/** The id of the commented document, for a comment, a reply or the folder that contains them. */
export const commentedId = (row: Placed): string | undefined => row.ancestorIds[commentedIndex(row)];

/** The level of a comment in its thread: 0 for the comment folder, 1 for a comment, 2 for a reply to it. */
export const commentDepth = (row: Placed): number => row.ancestorIds.length - commentedIndex(row) - 1;
