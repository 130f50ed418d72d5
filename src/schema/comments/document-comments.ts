import { Invalid } from '../../errors.ts';
import { builder, Document } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, pageCost } from '../../graphql/page.ts';
import { findComment } from '../../loaders/comments/find-comment.ts';
import { isUuid } from '../../model/names.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { Annotation, Annotations, Comment, Comments } from './comment.ts';

/** The maximum number of annotations whose replies can be read in one request. */
const maxAnnotations = 1000;

const part = {
  ...fixedOrderPageArguments,
  ...builder.args((t) => ({
    pageSize: t.int({ defaultValue: 0, description: 'The page size, up to 1000; 0 and -1 mean 1000.' }),
  })),
};

const which = builder.args((t) => ({
  commentId: t.id({ description: 'The id of the comment.' }),
  entityId: t.string({ description: 'The id of the comment in another application.' }),
}));

builder.objectFields(Document, (t) => ({
  comments: t.field({
    type: Comments,
    description: 'The comments on a document, or the replies to a comment; newest first.',
    args: part,
    complexity: pageCost,
    resolve: (row, page, { load }) =>
      fixedOrderPage(page, (request) => load.comments({ kind: 'Comment' }, request, row)),
  }),
  comment: t.field({
    type: Comment,
    nullable: true,
    description: 'A comment on the document or one of its descendants.',
    args: which,
    resolve: (row, key, context) => findComment(context, row, key, 'Comment'),
  }),
  annotations: t.field({
    type: Annotations,
    description: 'The annotations on parts of the document, newest first.',
    args: { ...part, xpath: t.arg.string({ description: 'The annotated property.' }) },
    complexity: pageCost,
    resolve: (row, { xpath, ...page }, { load }) => {
      requireStorable(xpath);
      const wanted = { kind: 'Annotation' as const, ...(xpath && { xpath }) };
      return fixedOrderPage(page, (request) => load.comments(wanted, request, row));
    },
  }),
  annotation: t.field({
    type: Annotation,
    nullable: true,
    description: 'An annotation of the document or one of its descendants.',
    args: which,
    resolve: (row, key, context) => findComment(context, row, key, 'Annotation'),
  }),
  annotationComments: t.field({
    type: Comments,
    description: 'The direct and indirect replies to annotations of the document, newest first.',
    args: { ids: t.arg.idList({ required: true, description: 'The ids of the annotations.' }), ...part },
    complexity: pageCost,
    resolve: (row, { ids, ...page }, { load }) => {
      if (ids.length > maxAnnotations)
        throw new Invalid(`ids must contain at most ${maxAnnotations} annotations; got ${ids.length}.`);
      const below = ids.filter(isUuid);
      return fixedOrderPage(page, (request) =>
        load.comments({ kind: 'Comment', inside: row.id, below }, request),
      );
    },
  }),
}));
