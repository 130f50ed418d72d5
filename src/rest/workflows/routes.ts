import { z } from 'zod';
import { anyObject } from '../../model/values/any-object.ts';
import { splitSentList } from '../../model/values/list-text.ts';
import {
  type Arguments,
  call,
  Field,
  input,
  queryArguments,
  repeatedArguments,
} from '../../selection/selection.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText, requiredText } from '../request/body.ts';
import { addressedGuard } from '../rights-first.ts';
import {
  del,
  documentAddresses,
  get,
  partArguments,
  post,
  put,
  putWithoutBody,
  type Route,
} from '../route.ts';

/** A document, given as its id, as `{id}` (the form in responses), or as an entity. */
const documentId = z.union(
  [
    z.string(),
    z.object({ uid: z.string() }).transform(({ uid }) => uid),
    z.object({ id: z.string() }).transform(({ id }) => id),
  ],
  'must be the id or the entity of a document',
);

/** A list of documents. Validation stops at the first invalid item. */
const documentIds = z
  .unknown()
  .transform((value, context) => {
    const items = typeof value === 'string' ? splitSentList(value) : value;
    const fault = (message: string, path: number[]) => {
      context.issues.push({ code: 'custom', message, input: value, path });
      return z.NEVER;
    };
    if (!Array.isArray(items)) return fault('must be a list of documents', []);
    const ids: string[] = [];
    for (const [index, item] of items.entries()) {
      const read = documentId.safeParse(item);
      if (!read.success) return fault('must be the id or the entity of a document', [index]);
      ids.push(read.data);
    }
    return ids;
  })
  .meta({
    anyOf: [
      { type: 'array', items: z.toJSONSchema(documentId, { io: 'input', target: 'openapi-3.0' }) },
      { type: 'string' },
    ],
  });

const variables = anyObject('must be an object').nullish();

const newWorkflow = bodyReader(
  objectShape('NewWorkflow', {
    'entity-type': entityTypeShape('workflow'),
    workflowModelName: requiredText,
    attachedDocumentIds: documentIds.nullish(),
    variables,
  }),
  ({ workflowModelName, attachedDocumentIds, variables: value }) => ({
    model: workflowModelName,
    documents: attachedDocumentIds ?? [],
    variables: value ?? {},
  }),
);

const taskAnswer = bodyReader(
  objectShape('TaskAnswer', {
    'entity-type': entityTypeShape('task'),
    id: optionalText,
    comment: optionalText,
    variables,
  }),
  ({ id, comment, variables: value }) => ({ id, comment, variables: value ?? {} }),
);

const filters = queryArguments('userId', 'workflowInstanceId', 'workflowModelName');
const inTask = { id: input('address.task') };
const inWorkflow = { id: input('address.workflow') };
const ofModel = { ...partArguments, model: input('query.workflowModelName') };
const answer = { action: input('address.action'), answer: input('body') };
const started = { workflow: input('body') };

const silently = (args: Arguments): Field =>
  new Field({ arguments: args, of: { id: true }, format: () => '' });

/** The routes for tasks (§4.7). */
export const taskRoutes: readonly Route[] = [
  get('/task', (show) => ({ tasks: call({ ...partArguments, ...filters }, show.tasks) }), {
    name: 'getTasks',
    summary: 'List the open tasks that the caller can see',
  }),
  get('/task/:task', ({ task }) => ({ task: call(inTask, task) }), { name: 'getTask', summary: 'A task' }),
  putWithoutBody(
    '/task/:task/reassign',
    () => ({
      reassignTask: silently({ ...inTask, ...repeatedArguments('actors'), ...queryArguments('comment') }),
    }),
    { name: 'reassignTask', summary: 'Reassign a task', answer: 'text' },
  ),
  putWithoutBody(
    '/task/:task/delegate',
    () => ({
      delegateTask: silently({
        ...inTask,
        actors: input('repeated.delegatedActors'),
        comment: input('query.comment'),
      }),
    }),
    { name: 'delegateTask', summary: 'Delegate a task', answer: 'text' },
  ),
  put('/task/:task/:action', taskAnswer, ({ task }) => ({ endTask: call({ ...inTask, ...answer }, task) }), {
    name: 'endTask',
    summary: 'Complete a task with one of its actions',
  }),
];

/** The routes for workflows (§4.7). */
export const workflowRoutes: readonly Route[] = [
  get('/workflow', (show) => ({ workflows: call(ofModel, show.workflows) }), {
    name: 'getWorkflows',
    summary: 'List the running workflows that the caller started',
  }),
  post('/workflow', newWorkflow, ({ workflow }) => ({ startWorkflow: call(started, workflow) }), {
    name: 'startWorkflow',
    summary: 'Start a workflow on documents',
  }),
  get('/workflow/:workflow', ({ workflow }) => ({ workflow: call(inWorkflow, workflow) }), {
    name: 'getWorkflow',
    summary: 'A workflow',
  }),
  del('/workflow/:workflow', () => ({ cancelWorkflow: call(inWorkflow) }), {
    name: 'cancelWorkflow',
    summary: 'Cancel a workflow',
  }),
  get('/workflow/:workflow/graph', ({ graph }) => ({ workflow: call(inWorkflow, { graph }) }), {
    name: 'getWorkflowGraph',
    summary: 'The graph of a workflow',
    resultPath: ['workflow', 'graph'],
  }),
  get('/workflowModel', (show) => ({ workflowModels: call(queryArguments('cursor'), show.workflows) }), {
    name: 'getWorkflowModels',
    summary: 'The workflow models that the caller can start',
  }),
  get(
    '/workflowModel/:model',
    ({ workflow }) => ({ workflowModel: call({ name: input('address.model') }, workflow) }),
    { name: 'getWorkflowModel', summary: 'A workflow model' },
  ),
  get(
    '/workflowModel/:model/graph',
    ({ graph }) => ({ workflowModel: call({ name: input('address.model') }, { graph }) }),
    {
      name: 'getWorkflowModelGraph',
      summary: 'The graph of a workflow model',
      resultPath: ['workflowModel', 'graph'],
    },
  ),
];

/** §4.7: the routes for the tasks and workflows of a document. */
export const documentWorkflowRoutes: readonly Route[] = documentAddresses.flatMap(
  ({ at, by, named, document: address }): Route[] => [
    get(
      `${at}/@task`,
      (show) => ({ document: call(address, { tasks: call({ ...partArguments, ...filters }, show.tasks) }) }),
      {
        name: `getTasksBy${by}`,
        summary: 'List the open tasks about a document',
        resultPath: ['document', 'tasks'],
      },
    ),
    put(
      `${at}/@task/:task/:action`,
      taskAnswer,
      ({ task }) => ({ endTask: call({ ...inTask, ...answer, [`document${by}`]: named }, task) }),
      { name: `endTaskBy${by}`, summary: 'Complete a task about a document with one of its actions' },
    ),
    get(
      `${at}/@workflow`,
      (show) => ({ document: call(address, { workflows: call(partArguments, show.workflows) }) }),
      {
        name: `getWorkflowsBy${by}`,
        summary: 'List the workflows on a document',
        resultPath: ['document', 'workflows'],
      },
    ),
    post(
      `${at}/@workflow`,
      newWorkflow,
      ({ workflow }) => ({ startWorkflow: call({ ...address, ...started }, workflow) }),
      {
        guard: addressedGuard('ReadWrite'),
        name: `startWorkflowBy${by}`,
        summary: 'Start a workflow on a document',
      },
    ),
    get(
      `${at}/@workflow/:workflow/task`,
      (show) => ({
        document: call(address, {
          tasks: call({ ...partArguments, workflowInstanceId: input('address.workflow') }, show.tasks),
        }),
      }),
      {
        name: `getTasksOfWorkflowBy${by}`,
        summary: 'List the open tasks of a workflow on a document',
        resultPath: ['document', 'tasks'],
      },
    ),
  ],
);
