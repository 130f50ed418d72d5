import type { Context } from '../context.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { actorNames, isActor, type TaskComment, type TaskRow } from '../loaders/tasks.ts';
import { isUuid } from '../model/names.ts';
import { requireStorable } from '../model/storable.ts';
import type { TaskDefinition } from '../model/workflows/definition.ts';
import type { GivenPage, PageShape } from '../pages/page.ts';
import { builder, Document, Group, Task, Tasks, User } from './builder.ts';
import { Page, pageCost } from './page.ts';
import { DocumentReference, partArguments, partOf } from './workflow.ts';
import { addressIn, documentsOf, graphOf, showVariables } from './workflow-shape.ts';

/** What the model says of a task; nothing when it is not in the model any more. */
const describedBy = ({ model }: Context, { node, workflow }: TaskRow): TaskDefinition | undefined =>
  model.workflows.get(workflow.model)?.nodes.get(node)?.task;

const ofKind = (actor: string, kind: 'user' | 'group'): string | undefined =>
  actor.startsWith(`${kind}:`) ? actor.slice(kind.length + 1) : undefined;

/** Somebody whose a task is, as `user:NAME` or `group:NAME`. */
const Actor = builder.objectRef<string>('Actor').implement({
  description: 'A user or a group whose a task is.',
  fields: (t) => ({
    id: t.id({ description: 'user:NAME or group:NAME.', resolve: (actor) => actor }),
    user: t.field({
      type: User,
      nullable: true,
      resolve: (actor, _, { load }) => {
        const id = ofKind(actor, 'user');
        return id === undefined ? null : load.userById.load(id);
      },
    }),
    group: t.field({
      type: Group,
      nullable: true,
      resolve: (actor, _, { load }) => {
        const id = ofKind(actor, 'group');
        return id === undefined ? null : load.groupById.load(id);
      },
    }),
  }),
});

const Comment = builder.objectRef<TaskComment>('TaskComment').implement({
  description: 'What somebody said of a task.',
  fields: (t) => ({
    author: t.exposeString('author'),
    text: t.exposeString('text'),
    date: t.exposeString('date'),
  }),
});

interface Action {
  readonly name: string;
  readonly url: string;
  readonly label: string;
  readonly validate: boolean;
}

const TaskAction = builder.objectRef<Action>('TaskAction').implement({
  description: 'A way to end a task.',
  fields: (t) => ({
    name: t.exposeString('name'),
    url: t.exposeString('url', { description: 'Where a PUT does it.' }),
    label: t.exposeString('label', { description: 'A label key.' }),
    validate: t.exposeBoolean('validate', { description: 'Whether variables count.' }),
  }),
});

const Resource = builder.objectRef<{ name: string; url: string | null }>('TaskResource').implement({
  description: 'Something that clients show a task by.',
  fields: (t) => ({ name: t.exposeString('name'), url: t.exposeString('url', { nullable: true }) }),
});

const TaskInfo = builder.objectRef<TaskRow>('TaskInfo').implement({
  description: 'How a task can be worked on.',
  fields: (t) => ({
    allowTaskReassignment: t.boolean({
      resolve: (task, _, context) => describedBy(context, task)?.reassignable ?? false,
    }),
    taskActions: t.field({
      type: [TaskAction],
      resolve: (task, _, context) =>
        (describedBy(context, task)?.buttons ?? []).map((button) => ({
          ...button,
          url: addressIn(context, 'task', task.id, button.name),
        })),
    }),
    layoutResource: t.field({
      type: Resource,
      description: 'What clients choose a form by; this server has none.',
      resolve: ({ node, workflow }) => ({ name: `${workflow.model}@${node}`, url: null }),
    }),
    schemas: t.field({
      type: [Resource],
      description: 'The schema of the variables.',
      resolve: ({ workflow }, _, context) => {
        const schema = context.model.workflows.get(workflow.model)?.variables.name;
        if (schema === undefined) return [];
        return [{ name: schema, url: `${context.options.baseUrl}/config/schemas/${schema}` }];
      },
    }),
  }),
});

Task.implement({
  description: 'What a workflow asks somebody to do (§2.6).',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.string({
      description: 'A label key, as the directive.',
      resolve: (task, _, context) => describedBy(context, task)?.name ?? task.node,
    }),
    state: t.exposeString('state', { description: 'opened, ended or cancelled.' }),
    directive: t.string({
      nullable: true,
      resolve: (task, _, context) => describedBy(context, task)?.directive,
    }),
    created: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    dueDate: t.string({ nullable: true, resolve: ({ dueAt }) => dueAt?.toISOString() }),
    nodeName: t.exposeString('node'),
    targetDocumentIds: t.field({
      type: [DocumentReference],
      description: 'What it is about, as far as the caller may read it.',
      resolve: ({ workflow }, _, context) => documentsOf(context, workflow),
    }),
    actors: t.field({ type: [Actor], resolve: ({ actors }) => [...actors] }),
    delegatedActors: t.field({
      type: [Actor],
      description: 'Whom the actors have asked to end it.',
      resolve: ({ delegatedActors }) => [...delegatedActors],
    }),
    comments: t.field({ type: [Comment], resolve: ({ comments }) => [...comments] }),
    variables: t.field({
      type: 'JSON',
      description: 'Those of the workflow that it shows, by name.',
      resolve: (task, _, context) => {
        const { model, variables } = task.workflow;
        return showVariables(context, model, variables, describedBy(context, task)?.shows ?? []);
      },
    }),
    workflowInstanceId: t.id({ resolve: ({ workflow }) => workflow.id }),
    workflowModelName: t.string({ resolve: ({ workflow }) => workflow.model }),
    workflowInitiator: t.string({ resolve: ({ workflow }) => workflow.initiator }),
    initiatorUser: t.field({
      type: User,
      nullable: true,
      resolve: ({ workflow }, _, { load }) => load.userById.load(workflow.initiator),
    }),
    workflowTitle: t.string({
      resolve: ({ workflow }, _, { model }) => model.workflows.get(workflow.model)?.title ?? workflow.model,
    }),
    workflowLifeCycleState: t.string({ resolve: ({ workflow }) => workflow.state }),
    graphResource: t.string({ resolve: ({ workflow }, _, context) => graphOf(context, workflow) }),
    taskInfo: t.field({ type: TaskInfo, resolve: (task) => task }),
  }),
});

Tasks.implement({
  description: 'A page of tasks.',
  interfaces: [Page],
  fields: (t) => ({
    entries: t.field({ type: [Task], complexity: { multiplier: 1 }, resolve: ({ entries }) => [...entries] }),
  }),
});

/** A task that the caller may see: actors, the initiator of the workflow, and administrators. @throws NotFound, Forbidden */
async function taskById({ load, user }: Context, id: string): Promise<TaskRow> {
  const task = await load.taskById.load(id.toLowerCase());
  if (!task) throw new NotFound(`there is no task ${id}`);
  if (user.isAdministrator || task.workflow.initiator === user.id || isActor(task, user)) return task;
  throw new Forbidden(`User with id '${user.id}' cannot see this task`);
}

/** What a list of tasks is to be narrowed to. */
interface GivenTasks extends GivenPage {
  readonly userId?: string | null | undefined;
  readonly workflowInstanceId?: string | null | undefined;
  readonly workflowModelName?: string | null | undefined;
}

/** The names under which a user is an actor; those of somebody else are looked up. */
async function namesOf({ load, user }: Context, given: string): Promise<string[]> {
  const id = given.replace(/^user:/, '');
  if (id === user.id) return actorNames(user);
  const found = await load.userById.load(id);
  return actorNames({ id, groups: (found?.groups ?? []).map((group) => group.id) });
}

/** Open tasks that the caller may see, of a document when one is named. */
async function tasksFor(
  context: Context,
  { userId, workflowInstanceId, workflowModelName, ...page }: GivenTasks,
  document?: string,
): Promise<PageShape<TaskRow>> {
  const { load, user } = context;
  requireStorable([userId, workflowModelName]);
  const filter = {
    ...(userId && { actors: await namesOf(context, userId) }),
    ...(!user.isAdministrator && { seenBy: actorNames(user) }),
    ...(workflowInstanceId && { workflow: workflowInstanceId }),
    ...(workflowModelName && { model: workflowModelName }),
  };
  const isPossible = !filter.workflow || isUuid(filter.workflow);
  return partOf(page, async (part) =>
    isPossible ? load.tasks(filter, part, document) : { rows: [], total: 0 },
  );
}

const filters = builder.args((t) => ({
  userId: t.string({ description: 'Those that this user may end.' }),
  workflowInstanceId: t.id({ description: 'Of this workflow.' }),
  workflowModelName: t.string({ description: 'Of workflows of this model.' }),
}));

builder.objectField(Document, 'tasks', (t) =>
  t.field({
    type: Tasks,
    description: 'Open tasks about it that the caller may see, those that are due first first.',
    args: { ...partArguments, ...filters },
    complexity: pageCost,
    resolve: ({ id }, given, context) => tasksFor(context, given, id),
  }),
);

builder.queryFields((t) => ({
  task: t.field({
    type: Task,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => taskById(context, id),
  }),
  tasks: t.field({
    type: Tasks,
    description: 'Open tasks that the caller may see, those that are due first first.',
    args: { ...partArguments, ...filters },
    complexity: pageCost,
    resolve: (_, given, context) => tasksFor(context, given),
  }),
}));
