import { type Arguments, call, input } from '../../selection/selection.ts';
import { blobSelection } from '../blobs/entities.ts';
import { del, get, post, type Route } from '../route.ts';
import { type CallAddress, callAddresses } from './call-addresses.ts';
import { callRoutes } from './call-routes.ts';

const execution: Arguments = { operation: input('address.operation'), id: input('address.execution') };

const executionsAt = ({ at, by }: CallAddress): Route[] => [
  get(
    `${at}/:operation/@async/:execution/status`,
    ({ bulkStatus }) => ({ execution: call(execution, { isDone: true, bulkStatus }) }),
    {
      name: `getExecutionStatus${by}`,
      summary: 'The state of an execution, or of the bulk action it started',
      answer: 'execution',
    },
  ),
  get(
    `${at}/:operation/@async/:execution`,
    ({ bulkStatus }) => ({ execution: call(execution, { isDone: true, answer: true, bulkStatus }) }),
    {
      name: `getExecution${by}`,
      summary: 'The result of an execution, in the same form as the response to a synchronous call',
      answer: 'execution',
    },
  ),
  del(`${at}/:operation/@async/:execution`, () => ({ abortExecution: call(execution) }), {
    name: `abortExecution${by}`,
    summary: 'Abort an execution, or delete its result',
    kind: 'outsideTransaction', // The execution is aborted even if the response cannot be built.
  }),
];

/** The routes for calling operations and chains (§4.7). */
export const automationRoutes: readonly Route[] = [
  post('/automation/login', undefined, ({ login }) => ({ login }), {
    name: 'login',
    summary: 'The caller; clients call this to verify credentials',
    status: 200,
    kind: 'query',
  }),
  get(
    '/automation/files/:id',
    () => ({
      document: call(
        { id: input('address.id') },
        { blob: call({ xpath: input('query.path') }, blobSelection) },
      ),
    }),
    {
      name: 'getFile',
      summary: 'Download a file of a document',
      resultPath: ['document', 'blob'],
      answer: 'bytes',
    },
  ),
  get('/automation', (show) => ({ operations: show.operations }), {
    name: 'getOperations',
    summary: 'All operations, with their descriptions and parameters',
  }),
  ...callRoutes,
  ...callAddresses.flatMap(executionsAt),
];
