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
      summary: 'Whether an execution is under way, or how far the bulk action is that it has begun',
      answer: 'execution',
    },
  ),
  get(
    `${at}/:operation/@async/:execution`,
    ({ bulkStatus }) => ({ execution: call(execution, { isDone: true, answer: true, bulkStatus }) }),
    {
      name: `getExecution${by}`,
      summary: 'What an execution answers, as the call would have',
      answer: 'execution',
    },
  ),
  del(`${at}/:operation/@async/:execution`, () => ({ abortExecution: call(execution) }), {
    name: `abortExecution${by}`,
    summary: 'Abort an execution, or forget what came of it',
    kind: 'outsideTransaction', // the execution is aborted even if the response cannot be built
  }),
];

/** Routes of automation (§4.7). */
export const automationRoutes: readonly Route[] = [
  post('/automation/login', undefined, ({ login }) => ({ login }), {
    name: 'login',
    summary: 'Who the caller is, for clients that want to know whether their credentials are right',
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
      summary: 'The bytes of a file of a document',
      resultPath: ['document', 'blob'],
      answer: 'bytes',
    },
  ),
  get('/automation', (show) => ({ operations: show.operations }), {
    name: 'getOperations',
    summary: 'All operations, with what they do and take',
  }),
  ...callRoutes,
  ...callAddresses.flatMap(executionsAt),
];
