import type { Context } from '../context.ts';
import { Forbidden, Invalid, NotFound } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Part } from '../loaders/parts.ts';
import { requireStorable } from '../model/storable.ts';
import { type GivenPage, type PageShape, readPage } from '../pages/page.ts';
import { cancelWorkflow } from '../store/workflows/cancel-workflow.ts';
import { startWorkflow } from '../store/workflows/start-workflow.ts';
import { builder, Document, User, Workflow, Workflows } from './builder.ts';
import { asObject } from './input.ts';
import { Page, pageArguments, pageCost } from './page.ts';
import { documentsOf, graphOf, modelShapes, showVariables, type WorkflowShape } from './workflow-shape.ts';

/** A document that a workflow or a task is about. */
export const DocumentReference = builder.objectRef<DocumentRow>('DocumentReference').implement({
  description: 'A document that something is about.',
  fields: (t) => ({
    id: t.exposeID('id'),
    document: t.field({ type: Document, resolve: (row) => row }),
  }),
});

Workflow.implement({
  description: 'A workflow that somebody started, or a model of workflows, which is validated (§2.6).',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Of a model, that of the document that stands for it.' }),
    name: t.exposeString('model'),
    title: t.string({
      description: 'A label key.',
      resolve: ({ model: name }, _, { model }) => model.workflows.get(name)?.title ?? name,
    }),
    state: t.exposeString('state', { description: 'running, done or canceled; validated.' }),
    workflowModelName: t.exposeString('model'),
    initiator: t.exposeString('initiator', { nullable: true, description: 'Who started it.' }),
    initiatorUser: t.field({
      type: User,
      nullable: true,
      resolve: ({ initiator }, _, { load }) => (initiator === null ? null : load.userById.load(initiator)),
    }),
    attachedDocumentIds: t.field({
      type: [DocumentReference],
      description: 'What it is about, as far as the caller may read it.',
      resolve: (workflow, _, context) => documentsOf(context, workflow),
    }),
    variables: t.field({
      type: 'JSON',
      description: 'By name.',
      resolve: ({ model, variables }, _, context) => showVariables(context, model, variables),
    }),
    graphResource: t.string({
      description: 'Where its graph is.',
      resolve: (workflow, _, context) => graphOf(context, workflow),
    }),
  }),
});

Workflows.implement({
  description: 'A page of workflows.',
  interfaces: [Page],
  fields: (t) => ({
    entries: t.field({
      type: [Workflow],
      complexity: { multiplier: 1 },
      resolve: ({ entries }) => [...entries],
    }),
  }),
});

/**
 * A workflow that the caller may see: its initiator, whoever may read one of its documents, and administrators.
 * @throws NotFound, Forbidden
 */
export async function workflowById(context: Context, id: string): Promise<WorkflowShape> {
  const { load, user } = context;
  const workflow = await load.workflowById.load(id.toLowerCase());
  if (!workflow) throw new NotFound(`Can not get workflow instance with id: ${id}, there is none`);
  const isOwn = user.isAdministrator || workflow.initiator === user.id;
  if (isOwn || (await documentsOf(context, workflow)).length > 0) return workflow;
  throw new Forbidden(`User with id '${user.id}' cannot see this workflow`);
}

const { pageSize, currentPageIndex, offset } = pageArguments;
/** Which page of workflows, or of tasks. */
export const partArguments = { pageSize, currentPageIndex, offset };

/** A page of a list that has an order of its own. */
export async function partOf<Row>(
  given: GivenPage,
  find: (page: { pageSize: number; offset: number }) => Promise<Part<Row>>,
): Promise<PageShape<Row>> {
  const page = readPage(given);
  const { rows, total } = await find({ pageSize: page.pageSize, offset: page.offset });
  return { entries: rows, total, pageSize: page.pageSize, offset: page.offset, isSortable: false };
}

/** All that is there, as a page. */
const whole = <Row>(entries: readonly Row[]): PageShape<Row> => ({
  ...{ entries, total: entries.length, pageSize: 0, offset: 0, isSortable: false },
});

builder.objectField(Document, 'workflows', (t) =>
  t.field({
    type: Workflows,
    description: 'What runs on it, the last one first.',
    args: partArguments,
    complexity: pageCost,
    resolve: ({ id }, given, { load }) => partOf(given, (page) => load.workflows({}, page, id)),
  }),
);

builder.queryFields((t) => ({
  workflow: t.field({
    type: Workflow,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => workflowById(context, id),
  }),
  workflows: t.field({
    type: Workflows,
    description: 'Running workflows that the caller started, the last one first.',
    args: { ...partArguments, model: t.arg.string({ description: 'Of this model.' }) },
    complexity: pageCost,
    resolve: (_, { model, ...given }, { load, user }) => {
      requireStorable(model);
      return partOf(given, (page) => load.workflows({ initiator: user.id, ...(model && { model }) }, page));
    },
  }),
  workflowModels: t.field({
    type: Workflows,
    description: 'What can be started.',
    resolve: async (_, __, context) =>
      whole(await modelShapes(context, [...context.model.workflows.values()])),
  }),
  workflowModel: t.field({
    type: Workflow,
    args: { name: t.arg.string({ required: true }) },
    resolve: async (_, { name }, context) => {
      const model = context.model.workflows.get(name);
      const [shape] = model ? await modelShapes(context, [model]) : [];
      if (!shape) throw new NotFound(`No route found for id: ${name}`);
      return shape;
    },
  }),
}));

const NewWorkflow = builder.inputType('NewWorkflow', {
  fields: (t) => ({
    model: t.string({ required: true, description: 'The name of the model.' }),
    documents: t.idList({ description: 'What it is about, unless a document is addressed.' }),
    variables: t.field({ type: 'JSON', description: 'By name.' }),
  }),
});

/** What is named in a body is the body's fault. @throws Invalid, or the same error. */
function namedInBody(error: unknown): never {
  if (!(error instanceof NotFound)) throw error;
  throw new Invalid(`attachedDocumentIds: there is no document ${error.message}`, { cause: error });
}

builder.mutationFields((t) => ({
  startWorkflow: t.field({
    type: Workflow,
    description: 'Starts a workflow on documents, or on the one that is addressed.',
    args: {
      id: t.arg.id(),
      path: t.arg.string(),
      workflow: t.arg({ type: NewWorkflow, required: true }),
    },
    resolve: (_, { id, path, workflow: { model, documents, variables } }, context) => {
      const isAddressed = typeof id === 'string' || typeof path === 'string';
      const references = isAddressed ? [{ id, path }] : (documents ?? []).map((each) => ({ id: each }));
      const given = { model, documents: references, variables: asObject(variables, 'variables') };
      const started = startWorkflow(context, given);
      return context.wrote(isAddressed ? started : started.catch(namedInBody));
    },
  }),
  cancelWorkflow: t.id({
    description: 'Ends a workflow before its time; answers its id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => context.wrote(cancelWorkflow(context, id.toLowerCase())),
  }),
}));
