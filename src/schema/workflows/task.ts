import type { InputShapeFromFields } from '@pothos/core';
import { Forbidden, NotFound } from '../../errors.ts';
import { builder, Document, Group, Task, Tasks, User } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import type { Context } from '../../loaders/context.ts';
import type { PageRequest, PageShape } from '../../loaders/lists/page.ts';
import { actorNames, isActor, type TaskComment, type TaskRow } from '../../loaders/workflows/tasks.ts';
import { isUuid } from '../../model/names.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { TaskDefinition } from '../../model/workflows/definition.ts';
import { taskTexts } from '../../model/workflows/task-texts.ts';
import { DocumentReferenceType } from './workflow.ts';
import { attachedDocuments, graphUrl, renderVariables } from './workflow-shape.ts';

const describedBy = (
  { services: { model } }: Context,
  { node, workflow }: TaskRow,
): TaskDefinition | undefined => model.workflows.get(workflow.model)?.nodes.get(node)?.task;

const textsOf = (context: Context, task: TaskRow): Partial<ReturnType<typeof taskTexts>> => {
  const definition = describedBy(context, task);
  return definition ? taskTexts(definition, task.workflow.variables) : {};
};

const ofKind = (actor: string, kind: 'user' | 'group'): string | undefined =>
  actor.startsWith(`${kind}:`) ? actor.slice(kind.length + 1) : undefined;

export const Actor = builder.objectRef<string>('Actor').implement({
  description: 'A user or a group who can complete a task.',
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
  description: 'A comment on a task.',
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
  description: 'An action that completes a task.',
  fields: (t) => ({
    name: t.exposeString('name'),
    url: t.exposeString('url', {
      description: 'The URL to which a PUT request is sent to perform the action.',
    }),
    label: t.exposeString('label', { description: 'A message key.' }),
    validate: t.exposeBoolean('validate', { description: 'Whether the variables are validated.' }),
  }),
});

const Resource = builder.objectRef<{ name: string; url: string | null }>('TaskResource').implement({
  description: 'A resource that clients use to display a task.',
  fields: (t) => ({ name: t.exposeString('name'), url: t.exposeString('url', { nullable: true }) }),
});

const TaskInfo = builder.objectRef<TaskRow>('TaskInfo').implement({
  description: 'The actions and the form of a task.',
  fields: (t) => ({
    allowTaskReassignment: t.boolean({
      resolve: (task, _, context) => describedBy(context, task)?.reassignable ?? false,
    }),
    taskActions: t.field({
      type: [TaskAction],
      resolve: (task, _, context) => {
        const { links, repository } = context.options;
        return (describedBy(context, task)?.buttons ?? []).map((button) => ({
          ...button,
          url: links.taskAction(repository, task.id, button.name),
        }));
      },
    }),
    takes: t.stringList({
      description: 'The names of the variables that completing the task can set.',
      resolve: (task, _, context) => [...(describedBy(context, task)?.takes ?? [])],
    }),
    needs: t.stringList({
      description:
        'The names of those variables that must be set when a validating action completes the task.',
      resolve: (task, _, context) => [...(describedBy(context, task)?.needs ?? [])],
    }),
    layoutResource: t.field({
      type: Resource,
      description: 'Always null, because this server has no layouts.',
      resolve: ({ node, workflow }) => ({ name: `${workflow.model}@${node}`, url: null }),
    }),
    schemas: t.field({
      type: [Resource],
      description: 'The schema of the variables.',
      resolve: ({ workflow }, _, context) => {
        const schema = context.services.model.workflows.get(workflow.model)?.variables.name;
        if (schema === undefined) return [];
        return [{ name: schema, url: context.options.links.schema(schema) }];
      },
    }),
  }),
});

Task.implement({
  description: 'A task of a workflow (§2.6).',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.string({
      description: 'A message key, like the directive.',
      resolve: (task, _, context) => textsOf(context, task).name ?? task.node,
    }),
    state: t.exposeString('state', { description: 'opened, ended or cancelled.' }),
    directive: t.string({
      nullable: true,
      resolve: (task, _, context) => textsOf(context, task).directive,
    }),
    created: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    dueDate: t.string({ nullable: true, resolve: ({ dueAt }) => dueAt?.toISOString() }),
    nodeName: t.exposeString('node'),
    targetDocumentIds: t.field({
      type: [DocumentReferenceType],
      description: 'The attached documents that the caller can read.',
      resolve: ({ workflow }, _, context) => attachedDocuments(context, workflow),
    }),
    actors: t.expose('actors', { type: [Actor] }),
    delegatedActors: t.expose('delegatedActors', {
      type: [Actor],
      description: 'The delegates, who can also complete the task.',
    }),
    comments: t.expose('comments', { type: [Comment] }),
    variables: t.field({
      type: 'JSON',
      description: 'The variables of the workflow that the task shows, by name.',
      resolve: (task, _, context) => {
        const { model, variables } = task.workflow;
        return renderVariables(context, model, variables, describedBy(context, task)?.shows ?? []);
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
      resolve: ({ workflow }, _, { services: { model } }) =>
        model.workflows.get(workflow.model)?.title ?? workflow.model,
    }),
    workflowLifeCycleState: t.string({ resolve: ({ workflow }) => workflow.state }),
    graphResource: t.string({ resolve: ({ workflow }, _, context) => graphUrl(context, workflow) }),
    taskInfo: t.field({ type: TaskInfo, resolve: (task) => task }),
  }),
});

implementPage(Tasks, Task, 'A page of tasks.');

/**
 * Loads a task. Its actors, the initiator of its workflow and administrators can see it.
 * @throws NotFound, Forbidden
 */
async function taskById({ load, user }: Context, id: string): Promise<TaskRow> {
  const task = await load.taskById.load(id);
  if (!task) throw new NotFound(`There is no task ${id}.`);
  if (user.isAdministrator || task.workflow.initiator === user.id || isActor(task, user)) return task;
  throw new Forbidden(`User with id '${user.id}' cannot see this task`);
}

async function namesOf({ load, user }: Context, args: string): Promise<string[]> {
  const id = args.replace(/^user:/, '');
  if (id === user.id) return actorNames(user);
  const found = await load.userById.load(id);
  return actorNames({ id, groups: (found?.groups ?? []).map((group) => group.id) });
}

const filters = builder.args((t) => ({
  userId: t.string({ description: 'Restricts the list to tasks that this user can complete.' }),
  workflowInstanceId: t.id({ description: 'The id of a workflow.' }),
  workflowModelName: t.string({ description: 'The name of a workflow model.' }),
}));

async function tasksFor(
  context: Context,
  {
    userId,
    workflowInstanceId,
    workflowModelName,
    ...page
  }: PageRequest & InputShapeFromFields<typeof filters>,
  document?: string,
): Promise<PageShape<TaskRow>> {
  const { load, user } = context;
  requireStorable([userId, workflowModelName]);
  const filter = {
    ...(userId && { actors: await namesOf(context, userId) }),
    ...(!user.isAdministrator && { visibleTo: actorNames(user) }),
    ...(workflowInstanceId && { workflow: workflowInstanceId }),
    ...(workflowModelName && { model: workflowModelName }),
  };
  const isPossible = !filter.workflow || isUuid(filter.workflow);
  return fixedOrderPage(page, async (part) =>
    isPossible ? load.tasks(filter, part, document) : { rows: [], total: 0 },
  );
}

builder.objectField(Document, 'tasks', (t) =>
  t.field({
    type: Tasks,
    description: 'The open tasks about the document that the caller can see, sorted by due date.',
    args: { ...fixedOrderPageArguments, ...filters },
    complexity: pageCost,
    resolve: ({ id }, args, context) => tasksFor(context, args, id),
  }),
);

builder.queryFields((t) => ({
  task: t.field({
    type: Task,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => taskById(context, id),
  }),
  tasks: t.field({
    type: Tasks,
    description: 'The open tasks that the caller can see, sorted by due date.',
    args: { ...fixedOrderPageArguments, ...filters },
    complexity: pageCost,
    resolve: (_, args, context) => tasksFor(context, args),
  }),
}));
