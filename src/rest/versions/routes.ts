import { z } from 'zod';
import { call, input } from '../../selection/selection.ts';
import { bodyReader, objectShape, optionalText, requiredText } from '../request/body.ts';
import { addressedGuard } from '../rights-first.ts';
import {
  documentAddresses,
  get,
  partArguments,
  post,
  postWithoutBody,
  preconditions,
  type Route,
} from '../route.ts';

const newVersion = bodyReader(
  objectShape('NewVersion', {
    increment: z.enum(['MINOR', 'MAJOR'], 'must be MINOR or MAJOR').default('MINOR'),
    comment: optionalText,
  }),
  (version) => version,
);

const publication = bodyReader(
  objectShape('Publication', {
    target: requiredText,
    override: z.boolean('must be true or false').nullish(),
  }),
  ({ target, override }) => ({ target, override: override ?? true }),
);

/** §11: the routes for the versions of a document and for its publication in sections. */
export const versionRoutes: readonly Route[] = documentAddresses.flatMap(({ at, by, document }): Route[] => {
  const changed = { ...document, ...preconditions };
  return [
    get(
      `${at}/@versions`,
      (show) => ({ document: call(document, { versions: call(partArguments, show.documents) }) }),
      {
        name: `getVersionsBy${by}`,
        summary: 'List the versions of a document, newest first',
        resultPath: ['document', 'versions'],
        csv: 'documents',
      },
    ),
    post(
      `${at}/@versions`,
      newVersion,
      (show) => ({
        createVersion: call(
          { ...changed, increment: input('body.increment'), comment: input('body.comment') },
          show.document,
        ),
      }),
      {
        name: `createVersionBy${by}`,
        summary: 'Create a version of a document',
        description: 'Returns the version.',
        guard: addressedGuard('WriteProperties'),
      },
    ),
    postWithoutBody(
      `${at}/@versions/:version/@restore`,
      (show) => ({
        restoreVersion: call({ ...changed, version: input('address.version') }, show.document),
      }),
      { name: `restoreVersionBy${by}`, summary: 'Restore a document to one of its versions', status: 200 },
    ),
    post(
      `${at}/@publish`,
      publication,
      (show) => ({
        publishDocument: call(
          { ...changed, target: input('body.target'), override: input('body.override') },
          show.document,
        ),
      }),
      {
        name: `publishDocumentBy${by}`,
        summary: 'Publish a document in a section',
        description: 'Returns the proxy in the section, which shows a version of the document.',
        status: 200,
        guard: addressedGuard('Read'),
      },
    ),
  ];
});
