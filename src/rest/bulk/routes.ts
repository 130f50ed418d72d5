import { anyObject } from '../../model/values/any-object.ts';
import { type Arguments, call, input, queryArguments } from '../../selection/selection.ts';
import { blobSelection } from '../blobs/entities.ts';
import { bodyReader } from '../request/body.ts';
import { get, partArguments, post, putWithoutBody, type Route } from '../route.ts';

/** The parameters of a bulk action, such as the properties it sets. */
const bulkParameters = bodyReader(
  anyObject('The body must be a JSON object').nullish().meta({ title: 'BulkParameters' }),
  (parameters) => parameters ?? {},
);

const byId = { id: input('address.id') };
const listArguments = { ...queryArguments('state'), ...partArguments };

const actionArguments: Arguments = {
  action: input('address.bulkAction'),
  ...queryArguments('queryParams'),
  namedParameters: input('parameters'),
  parameters: input('body'),
};

const runs = [
  { path: '/search/bulk/:bulkAction', name: 'runBulkAction', args: queryArguments('query') },
  {
    path: '/search/pp/:name/bulk/:bulkAction',
    name: 'runBulkActionOnPageProvider',
    args: { provider: input('address.name'), ...queryArguments('quickFilters') },
  },
];

/**
 * The routes for bulk actions, which change all documents found by a query and run after the response (docs/jobs.md).
 */
export const bulkActionRoutes: readonly Route[] = [
  ...runs.map(({ path, name, args }) =>
    post(
      path,
      bulkParameters,
      ({ bulkStatus }) => ({ runBulkAction: call({ ...actionArguments, ...args }, bulkStatus) }),
      { name, summary: 'Start a bulk action on all documents found by a search', status: 202 },
    ),
  ),
  get('/bulk/:id', ({ bulkStatus }) => ({ bulkCommand: call(byId, bulkStatus) }), {
    name: 'getBulkCommand',
    summary: 'The progress of a bulk action, and the documents for which it failed',
  }),
  get('/bulk/:id/result', () => ({ bulkResult: call(byId, blobSelection) }), {
    name: 'getBulkResult',
    summary: 'The file of a completed export',
    answer: 'bytes',
  }),
  putWithoutBody('/bulk/:id/abort', ({ bulkStatus }) => ({ abortBulkCommand: call(byId, bulkStatus) }), {
    name: 'abortBulkCommand',
    summary: 'Abort a bulk action; changes already made remain',
  }),
  get('/management/bulk', ({ bulkStatuses }) => ({ bulkCommands: call(listArguments, bulkStatuses) }), {
    name: 'getBulkCommands',
    summary: 'List the bulk actions of all users, newest first',
    isHidden: true,
  }),
];
