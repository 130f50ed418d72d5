import { hashId } from '../hash-id.ts';
import type { Model } from '../model.ts';

/** The type of the hidden folder in which the comments on a document are. */
export const commentRootType = 'CommentRoot';

export type CommentKind = 'Comment' | 'Annotation';

type Types = Pick<Model, 'types'>;

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

/** The id of the folder is the hash of this and the document's id. */
export const commentRootText = 'comments on ';

/** Documents that callers create never have such an id. */
export const commentRootId = (documentId: string): string => hashId(commentRootText + documentId);

interface Placed {
  readonly id: string;
  readonly ancestorIds: readonly string[];
}

const placeOfDocument = ({ id, ancestorIds }: Placed): number => {
  const line = [...ancestorIds, id];
  return line.findIndex((each, at) => at + 1 < line.length && line[at + 1] === commentRootId(each));
};

/** Of a comment, a reply or their folder: the id of the document that is commented on. */
export const commentedId = (row: Placed): string | undefined => row.ancestorIds[placeOfDocument(row)];

/** How many comments a comment is below, with itself; 0 for the folder. */
export const commentDepth = (row: Placed): number => row.ancestorIds.length - placeOfDocument(row) - 1;
