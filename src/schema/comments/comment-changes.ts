import type { InputShapeFromFields } from '@pothos/core';
import { DocumentNotFound } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { type CommentKey, findComment } from '../../loaders/comments/find-comment.ts';
import type { Context } from '../../loaders/context.ts';
import type { CommentKind } from '../../model/comments/comment-tree.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { deleteComment, updateComment } from '../../store/comments/change-comment.ts';
import { createComment } from '../../store/comments/create-comment.ts';
import { Annotation, Comment } from './comment.ts';

const CommentInput = builder.inputType('CommentInput', {
  fields: (t) => ({
    text: t.string(),
    creationDate: t.string({ description: 'Now when absent; a change keeps it.' }),
    modificationDate: t.string({ description: 'Unset when absent: a new comment was not edited.' }),
    entityId: t.string({ description: 'Its id in another application.' }),
    origin: t.string({ description: 'The other application.' }),
    entity: t.string({ description: 'What it is there.' }),
  }),
});

const AnnotationInput = builder.inputType('AnnotationInput', {
  fields: (t) => ({
    text: t.string(),
    xpath: t.string({ description: 'The annotated property, such as file:content.' }),
    creationDate: t.string({ description: 'Now when absent; a change keeps it.' }),
    modificationDate: t.string({ description: 'Now when absent.' }),
    entityId: t.string({ description: 'Its id in another application.' }),
    origin: t.string({ description: 'The other application.' }),
    entity: t.string({ description: 'What it is there.' }),
  }),
});

const subject = builder.args((t) => ({
  id: t.id({ description: 'The id of a document, or of a comment that is replied to.' }),
  path: t.string({ description: "The document's path." }),
}));

const place = builder.args((t) => ({
  id: t.id({ description: 'The id of the document, or of one above it.' }),
  path: t.string({ description: "The document's path." }),
  commentId: t.id({ description: 'Its id.' }),
  entityId: t.string({ description: 'Its id in another application.' }),
}));

/** The id of the comment. @throws NotFound, Forbidden */
async function addressed(
  context: Context,
  { commentId, entityId, ...reference }: InputShapeFromFields<typeof place> & CommentKey & DocumentReference,
  kind: CommentKind,
): Promise<string> {
  const { by, value } = referenceKey(reference);
  const { load } = context;
  const row = await (by === 'id' ? load.documentById : load.documentByPath).load(value);
  if (!row) throw new DocumentNotFound(value);
  return (await findComment(context, row, { commentId, entityId }, kind)).id;
}

builder.mutationFields((t) => ({
  createComment: t.field({
    type: Comment,
    description: 'Comments on a document, or replies to a comment.',
    args: { ...subject, comment: t.arg({ type: CommentInput, required: true }) },
    resolve: (_, { comment, ...reference }, context) =>
      createComment(context, reference, { ...comment, kind: 'Comment' }),
  }),
  updateComment: t.field({
    type: Comment,
    description: 'For its author, and for those with Everything on the document.',
    args: { ...place, comment: t.arg({ type: CommentInput, required: true }) },
    resolve: async (_, { comment, ...where }, context) =>
      updateComment(context, await addressed(context, where, 'Comment'), comment),
  }),
  deleteComment: t.id({
    description: 'Deletes a comment with its replies; answers its id.',
    args: place,
    resolve: async (_, where, context) => deleteComment(context, await addressed(context, where, 'Comment')),
  }),
  createAnnotation: t.field({
    type: Annotation,
    description: 'Comments on a part of a document.',
    args: { ...subject, annotation: t.arg({ type: AnnotationInput, required: true }) },
    resolve: (_, { annotation, ...reference }, context) =>
      createComment(context, reference, { ...annotation, kind: 'Annotation' }),
  }),
  updateAnnotation: t.field({
    type: Annotation,
    description: 'For its author, and for those with Everything on the document.',
    args: { ...place, annotation: t.arg({ type: AnnotationInput, required: true }) },
    resolve: async (_, { annotation, ...where }, context) =>
      updateComment(context, await addressed(context, where, 'Annotation'), annotation),
  }),
  deleteAnnotation: t.id({
    description: 'Deletes an annotation with its comments; answers its id.',
    args: place,
    resolve: async (_, where, context) =>
      deleteComment(context, await addressed(context, where, 'Annotation')),
  }),
}));
