import { z } from 'zod';
import { textList } from '../../model/values/json-shapes.ts';
import { type Arguments, call, input, queryArguments, type Selection } from '../../selection/selection.ts';
import type { Entities } from '../entities.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';
import { addressedGuard } from '../rights-first.ts';
import { del, documentAddresses, get, partArguments, post, put, type Route } from '../route.ts';

const fields = {
  text: optionalText,
  creationDate: optionalText,
  modificationDate: optionalText,
  entityId: optionalText,
  origin: optionalText,
  entity: optionalText,
  resolved: z.boolean('must be true or false').nullish(),
};

/**
 * The request body for a comment. The author and the parent are determined by the request and cannot be set in the
 * body.
 */
const commentBody = bodyReader(
  objectShape('CommentBody', { 'entity-type': entityTypeShape('comment'), ...fields }),
  ({ 'entity-type': _, ...comment }) => comment,
);

const annotationBody = bodyReader(
  objectShape('AnnotationBody', {
    'entity-type': entityTypeShape('annotation'),
    ...fields,
    xpath: optionalText,
  }),
  ({ 'entity-type': _, ...annotation }) => annotation,
);

const annotationIds = bodyReader(
  textList('The body must be a list of ids', 'must be an id').meta({ title: 'AnnotationIds' }),
  (ids) => ids,
);

const addressings: ReadonlyArray<{ below: string; key: Arguments; what: string; which: string }> = [
  { below: '/:comment', key: { commentId: input('address.comment') }, what: '', which: '' },
  {
    below: '/external/:entity',
    key: { entityId: input('address.entity') },
    what: 'External',
    which: ', identified by its id in another application',
  },
];

const kinds = [
  { kind: 'comment', body: commentBody, noun: 'Comment', one: 'a comment' },
  { kind: 'annotation', body: annotationBody, noun: 'Annotation', one: 'an annotation' },
] as const;

type Address = (typeof documentAddresses)[number];

const guard = addressedGuard('Read');

const singleRows = ({ at, by, document: address }: Address): Route[] =>
  kinds.flatMap(({ kind, body, noun, one }) =>
    addressings.flatMap(({ below, key, what, which }) => {
      const path = `${at}/@${kind}${below}`;
      const commentArguments = { ...address, ...key };
      const named = (verb: string) => `${verb}${what}${noun}By${by}`;
      const select = (show: Entities): Selection => ({
        document: call(address, { [kind]: call(key, show[kind]) }),
      });
      return [
        get(path, select, {
          name: named('get'),
          summary: `${one.charAt(0).toUpperCase()}${one.slice(1)} on a document${which}`,
          resultPath: ['document', kind],
        }),
        put(
          path,
          body,
          (show) => ({ [`update${noun}`]: call({ ...commentArguments, [kind]: input('body') }, show[kind]) }),
          { guard, name: named('update'), summary: `Change ${one} on a document${which}` },
        ),
        del(path, () => ({ [`delete${noun}`]: call(commentArguments) }), {
          name: named('delete'),
          summary: `Delete ${one} on a document, including its replies${which}`,
        }),
      ];
    }),
  );

const listRows = ({ at, by, document: address }: Address): Route[] => [
  get(
    `${at}/@comment`,
    (show) => ({ document: call(address, { comments: call(partArguments, show.comments) }) }),
    {
      name: `getCommentsBy${by}`,
      summary: 'Comments on a document, or replies to a comment, newest first',
      forGuests: true,
      resultPath: ['document', 'comments'],
    },
  ),
  get(
    `${at}/@annotation`,
    (show) => ({
      document: call(address, {
        annotations: call({ ...partArguments, ...queryArguments('xpath') }, show.annotations),
      }),
    }),
    {
      name: `getAnnotationsBy${by}`,
      summary: 'Annotations of a document, newest first',
      resultPath: ['document', 'annotations'],
    },
  ),
  post(
    `${at}/@annotation/comments`,
    annotationIds,
    (show) => ({
      document: call(address, {
        annotationComments: call({ ...partArguments, ids: input('body') }, show.comments),
      }),
    }),
    {
      name: `getAnnotationCommentsBy${by}`,
      summary: 'The comments on the given annotations of a document, newest first',
      kind: 'query',
      status: 200,
      resultPath: ['document', 'annotationComments'],
    },
  ),
];

const newRows = ({ at, by, document: address }: Address): Route[] =>
  kinds.map(({ kind, body, noun, one }) =>
    post(
      `${at}/@${kind}`,
      body,
      (show) => ({ [`create${noun}`]: call({ ...address, [kind]: input('body') }, show[kind]) }),
      {
        guard,
        name: `create${noun}By${by}`,
        summary: `Add ${one} to a document`,
        ...(kind === 'comment' && { forGuests: true }),
      },
    ),
  );

/** §4.7: the routes for comments and annotations on a document. */
export const commentRoutes: readonly Route[] = documentAddresses.flatMap((address) => [
  ...listRows(address),
  ...newRows(address),
  ...singleRows(address),
]);
