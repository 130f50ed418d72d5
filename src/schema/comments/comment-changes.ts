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
    creationDate: t.string({
      description: 'The time of creation; defaults to now. Changes to an existing comment do not affect it.',
    }),
    modificationDate: t.string({
      description: 'The time of the last edit; defaults to null, because a new comment has not been edited.',
    }),
    entityId: t.string({ description: 'The id of the comment in another application.' }),
    origin: t.string({ description: 'The name of the other application.' }),
    entity: t.string({ description: 'The comment as the other application represents it.' }),
    resolved: t.boolean({
      description:
        'Whether the thread is resolved, for the first comment of a thread. Only changes can contain it; for its author and for users who can write the document.',
    }),
  }),
});

const AnnotationInput = builder.inputType('AnnotationInput', {
  fields: (t) => ({
    text: t.string(),
    xpath: t.string({ description: 'The annotated property, such as file:content.' }),
    creationDate: t.string({
      description: 'The time of creation; defaults to now. Changes to an existing comment do not affect it.',
    }),
    modificationDate: t.string({ description: 'The time of the last edit; defaults to now.' }),
    entityId: t.string({ description: 'The id of the comment in another application.' }),
    origin: t.string({ description: 'The name of the other application.' }),
    entity: t.string({ description: 'The comment as the other application represents it.' }),
    resolved: t.boolean({
      description:
        'Whether the thread is resolved, for the first comment of a thread. Only changes can contain it; for its author and for users who can write the document.',
    }),
  }),
});

const subject = builder.args((t) => ({
  id: t.id({ description: 'The id of a document, or of the comment to reply to.' }),
  path: t.string({ description: 'The path of the document.' }),
}));

const place = builder.args((t) => ({
  id: t.id({ description: 'The id of the document, or of one of its ancestors.' }),
  path: t.string({ description: 'The path of the document.' }),
  commentId: t.id({ description: 'The id of the comment.' }),
  entityId: t.string({ description: 'The id of the comment in another application.' }),
}));

/**
 * Returns the id of the comment that the arguments identify.
 * @throws NotFound, Forbidden
 */
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
    description: 'Adds a comment to a document, or a reply to a comment.',
    args: { ...subject, comment: t.arg({ type: CommentInput, required: true }) },
    resolve: (_, { comment, ...reference }, context) =>
      createComment(context, reference, { ...comment, kind: 'Comment' }),
  }),
  updateComment: t.field({
    type: Comment,
    description:
      'Changes a comment or annotation. Only for its author and for users with the permission Everything on the document.',
    args: { ...place, comment: t.arg({ type: CommentInput, required: true }) },
    resolve: async (_, { comment, ...where }, context) =>
      updateComment(context, await addressed(context, where, 'Comment'), comment),
  }),
  deleteComment: t.id({
    description: 'Deletes a comment with its replies, and returns its id.',
    args: place,
    resolve: async (_, where, context) => deleteComment(context, await addressed(context, where, 'Comment')),
  }),
  createAnnotation: t.field({
    type: Annotation,
    description: 'Adds an annotation to a part of a document.',
    args: { ...subject, annotation: t.arg({ type: AnnotationInput, required: true }) },
    resolve: (_, { annotation, ...reference }, context) =>
      createComment(context, reference, { ...annotation, kind: 'Annotation' }),
  }),
  updateAnnotation: t.field({
    type: Annotation,
    description:
      'Changes a comment or annotation. Only for its author and for users with the permission Everything on the document.',
    args: { ...place, annotation: t.arg({ type: AnnotationInput, required: true }) },
    resolve: async (_, { annotation, ...where }, context) =>
      updateComment(context, await addressed(context, where, 'Annotation'), annotation),
  }),
  deleteAnnotation: t.id({
    description: 'Deletes an annotation with its replies, and returns its id.',
    args: place,
    resolve: async (_, where, context) =>
      deleteComment(context, await addressed(context, where, 'Annotation')),
  }),
}));
