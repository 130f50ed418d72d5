import { Invalid } from '../../errors.ts';
import { builder, Document } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, pageCost } from '../../graphql/page.ts';
import { findComment } from '../../loaders/comments/find-comment.ts';
import { isUuid } from '../../model/names.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { Annotation, Annotations, Comment, Comments } from './comment.ts';

/** Annotations whose replies are asked for at a time. */
const mostAnnotations = 1000;

const part = {
  ...fixedOrderPageArguments,
  ...builder.args((t) => ({
    pageSize: t.int({ defaultValue: 0, description: 'At most 1000; 0 and -1 mean 1000.' }),
  })),
};

const which = builder.args((t) => ({
  commentId: t.id({ description: 'Its id.' }),
  entityId: t.string({ description: 'Its id in another application.' }),
}));

builder.objectFields(Document, (t) => ({
  comments: t.field({
    type: Comments,
    description: 'Of a document its comments, of a comment its replies; the newest first.',
    args: part,
    complexity: pageCost,
    resolve: (row, page, { load }) =>
      fixedOrderPage(page, (asked) => load.comments({ kind: 'Comment' }, asked, row)),
  }),
  comment: t.field({
    type: Comment,
    nullable: true,
    description: 'A comment on the document, or on what is below it.',
    args: which,
    resolve: (row, key, context) => findComment(context, row, key, 'Comment'),
  }),
  annotations: t.field({
    type: Annotations,
    description: 'Comments on parts of the document, the newest first.',
    args: { ...part, xpath: t.arg.string({ description: 'The annotated property.' }) },
    complexity: pageCost,
    resolve: (row, { xpath, ...page }, { load }) => {
      requireStorable(xpath);
      const wanted = { kind: 'Annotation' as const, ...(xpath && { xpath }) };
      return fixedOrderPage(page, (asked) => load.comments(wanted, asked, row));
    },
  }),
  annotation: t.field({
    type: Annotation,
    nullable: true,
    description: 'An annotation of the document, or of what is below it.',
    args: which,
    resolve: (row, key, context) => findComment(context, row, key, 'Annotation'),
  }),
  annotationComments: t.field({
    type: Comments,
    description: 'Replies to annotations of the document, and replies to these, the newest first.',
    args: { ids: t.arg.idList({ required: true, description: 'Ids of annotations.' }), ...part },
    complexity: pageCost,
    resolve: (row, { ids, ...page }, { load }) => {
      if (ids.length > mostAnnotations)
        throw new Invalid(`${ids.length} annotations, at most ${mostAnnotations} at a time`);
      const below = ids.filter(isUuid);
      return fixedOrderPage(page, (asked) =>
        load.comments({ kind: 'Comment', inside: row.id, below }, asked),
      );
    },
  }),
}));
