import { Forbidden, Invalid, NotFound } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder, Document, User, Workflow, Workflows } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { readCursor } from '../../loaders/lists/list-cursor.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import type { WorkflowShape } from '../../loaders/workflows/workflows.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { offeredModels } from '../../model/workflows/runnable.ts';
import { cancelWorkflow } from '../../store/workflows/cancel-workflow.ts';
import { startWorkflow } from '../../store/workflows/start-workflow.ts';
import { attachedDocuments, graphUrl, modelShapes, renderVariables } from './workflow-shape.ts';

export const DocumentReferenceType = builder.objectRef<DocumentRow>('DocumentReference').implement({
  description: 'A document of a workflow or a task.',
  fields: (t) => ({
    id: t.exposeID('id'),
    document: t.field({ type: Document, resolve: (row) => row }),
  }),
});

Workflow.implement({
  description: 'A workflow, or a workflow model; the state of a model is validated (§2.6).',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id; for a model, the id of its document.' }),
    name: t.exposeString('model'),
    title: t.string({
      description: 'A message key.',
      resolve: ({ model: name }, _, { services: { model } }) => model.workflows.get(name)?.title ?? name,
    }),
    state: t.exposeString('state', { description: 'running, done or canceled; for a model, validated.' }),
    workflowModelName: t.exposeString('model'),
    initiator: t.exposeString('initiator', {
      nullable: true,
      description: 'The user who started the workflow.',
    }),
    initiatorUser: t.field({
      type: User,
      nullable: true,
      resolve: ({ initiator }, _, { load }) => (initiator === null ? null : load.userById.load(initiator)),
    }),
    attachedDocumentIds: t.field({
      type: [DocumentReferenceType],
      description: 'The attached documents that the caller can read.',
      resolve: (workflow, _, context) => attachedDocuments(context, workflow),
    }),
    variables: t.field({
      type: 'JSON',
      description: 'The variables by name.',
      resolve: ({ model, variables }, _, context) => renderVariables(context, model, variables),
    }),
    graphResource: t.string({
      description: 'The URL of the graph.',
      resolve: (workflow, _, context) => graphUrl(context, workflow),
    }),
  }),
});

implementPage(Workflows, Workflow, 'A page of workflows.');

/**
 * Loads a workflow. Its initiator, administrators and users who can read any of its documents can see it.
 * @throws NotFound, Forbidden
 */
async function visibleWorkflow(context: Context, id: string): Promise<WorkflowShape> {
  const { load, user } = context;
  const workflow = await load.workflowById.load(id);
  if (!workflow) throw new NotFound(`Can not get workflow instance with id: ${id}. It does not exist.`);
  const isOwn = user.isAdministrator || workflow.initiator === user.id;
  if (isOwn || (await attachedDocuments(context, workflow)).length > 0) return workflow;
  throw new Forbidden(`User with id '${user.id}' cannot see this workflow`);
}

const { cursor } = fixedOrderPageArguments;

const whole = <Row>(entries: readonly Row[]): PageShape<Row> => ({
  entries,
  total: entries.length,
  pageSize: 0,
  offset: 0,
  isSortable: false,
});

builder.objectField(Document, 'workflows', (t) =>
  t.field({
    type: Workflows,
    description: 'The workflows on the document, newest first.',
    args: fixedOrderPageArguments,
    complexity: pageCost,
    resolve: ({ id }, args, { load }) => fixedOrderPage(args, (page) => load.workflows({}, page, id)),
  }),
);

builder.queryFields((t) => ({
  workflow: t.field({
    type: Workflow,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => visibleWorkflow(context, id),
  }),
  workflows: t.field({
    type: Workflows,
    description: 'The running workflows that the caller started, newest first.',
    args: { ...fixedOrderPageArguments, model: t.arg.string({ description: 'The name of the model.' }) },
    complexity: pageCost,
    resolve: (_, { model, ...args }, { load, user }) => {
      requireStorable(model);
      return fixedOrderPage(args, (page) =>
        load.workflows({ initiator: user.id, ...(model && { model }) }, page),
      );
    },
  }),
  workflowModels: t.field({
    type: Workflows,
    description: 'The workflow models that the caller can start, all on one page.',
    args: { cursor },
    resolve: async (_, { cursor }, context) => {
      readCursor('workflowModels', cursor ?? '');
      return whole(await modelShapes(context, offeredModels(context.services.model)));
    },
  }),
  workflowModel: t.field({
    type: Workflow,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: async (_, { name }, context) => {
      const model = offeredModels(context.services.model).find((each) => each.name === name);
      const [shape] = model ? await modelShapes(context, [model]) : [];
      if (!shape) throw new NotFound(`No route found for id: ${name}`);
      return shape;
    },
  }),
}));

const NewWorkflow = builder.inputType('NewWorkflow', {
  fields: (t) => ({
    model: t.string({ required: true, description: 'The name of the model.' }),
    documents: t.idList({
      description:
        'The ids of the documents, if the URL contains none; empty for a workflow without documents.',
    }),
    variables: t.field({ type: 'JSON', description: 'The variables by name.' }),
  }),
});

/**
 * Converts NotFound to Invalid, because the body refers to something that does not exist. Rethrows all other
 * errors.
 */
function namedInBody(error: unknown): never {
  if (!(error instanceof NotFound)) throw error;
  throw new Invalid(error.message, { field: 'attachedDocumentIds', cause: error });
}

builder.mutationFields((t) => ({
  startWorkflow: t.field({
    type: Workflow,
    description:
      'Starts a workflow on the given documents, on the document in the URL, or without documents.',
    args: {
      id: t.arg.id(),
      path: t.arg.string(),
      workflow: t.arg({ type: NewWorkflow, required: true }),
    },
    resolve: (_, { id, path, workflow: { model, documents, variables } }, context) => {
      const isAddressed = typeof id === 'string' || typeof path === 'string';
      const references = isAddressed ? [{ id, path }] : (documents ?? []).map((each) => ({ id: each }));
      const args = { model, documents: references, variables: asObject(variables, 'variables') };
      const started = startWorkflow(context, args);
      return isAddressed ? started : started.catch(namedInBody);
    },
  }),
  cancelWorkflow: t.id({
    description: 'Cancels a workflow and returns its id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => cancelWorkflow(context, id.toLowerCase()),
  }),
}));
