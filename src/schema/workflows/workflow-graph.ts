import { builder, Task, Workflow } from '../../graphql/builder.ts';
import type { Context } from '../../loaders/context.ts';
import { isActor } from '../../loaders/workflows/tasks.ts';
import type { WorkflowShape } from '../../loaders/workflows/workflows.ts';
import { labelText } from '../../model/labels.ts';
import type { NodeDefinition, TransitionDefinition } from '../../model/workflows/definition.ts';
import { isEndNode } from '../../model/workflows/progress.ts';
import { Actor } from './task.ts';

interface NodeShape {
  readonly node: NodeDefinition;
  readonly workflow: WorkflowShape;
  readonly isStart: boolean;
}

const isCurrent = ({ node, workflow }: NodeShape): boolean =>
  workflow.state === 'running' && workflow.node === node.id;

/** Whether a workflow has left a node, or has ended there. */
const isPassed = (shape: NodeShape): boolean => {
  const { node, workflow } = shape;
  if (isCurrent(shape)) return false;
  return workflow.passed.includes(node.id) || (workflow.state === 'done' && workflow.node === node.id);
};

/**
 * The actors of the open tasks at a node, or of its ended tasks if none is open. Tasks that the caller cannot see are
 * left out.
 */
async function actorsAt(
  { node, workflow: { id, state, initiator } }: NodeShape,
  { load, user }: Context,
): Promise<string[]> {
  if (state === 'validated' || !node.task) return [];
  const seesAll = user.isAdministrator || initiator === user.id;
  const here = (await load.nodeTasks.load(id)).filter(
    (task) => task.node === node.id && (seesAll || isActor(task, user)),
  );
  const open = here.filter((task) => task.state === 'opened');
  const actors = (open.length > 0 ? open : here).flatMap((task) => [...task.actors, ...task.delegatedActors]);
  return [...new Set(actors)];
}

const GraphNode = builder.objectRef<NodeShape>('GraphNode').implement({
  description: 'A step of a workflow.',
  fields: (t) => ({
    id: t.id({ resolve: ({ node }) => node.id }),
    title: t.string({
      description: 'The title, in the language of the request.',
      resolve: ({ node }, _, { options }) => labelText(node.title ?? node.id, options.language),
    }),
    x: t.float({ resolve: ({ node }) => node.place?.x ?? 0 }),
    y: t.float({ resolve: ({ node }) => node.place?.y ?? 0 }),
    state: t.string({
      description: 'suspended if the workflow is waiting at this node, otherwise ready.',
      resolve: (shape) => (isCurrent(shape) ? 'suspended' : 'ready'),
    }),
    isPassed: t.boolean({
      description: 'Whether the workflow has left this node, or has ended here.',
      resolve: isPassed,
    }),
    actors: t.field({
      type: [Actor],
      description:
        'The actors of the open tasks at this node, or of its ended tasks if none is open. Tasks that the caller cannot see are left out.',
      resolve: (shape, _, context) => actorsAt(shape, context),
    }),
    isStartNode: t.exposeBoolean('isStart'),
    isEndNode: t.boolean({ resolve: ({ node }) => isEndNode(node) }),
    isForkNode: t.boolean({
      description: 'Always false, because a workflow is at a single node at any time.',
      resolve: () => false,
    }),
    isMerge: t.boolean({ resolve: () => false }),
    isMultiTask: t.boolean({
      description: 'Whether each actor in a list gets a separate task.',
      resolve: ({ node: { task } }) =>
        task !== undefined && task.actors !== 'initiator' && Object.keys(task.actors).length === 1,
    }),
    hasSubWorkflow: t.boolean({ resolve: () => false }),
  }),
});

interface TransitionShape extends TransitionDefinition {
  readonly from: string;
  /** The label of the button, which is a message key. */
  readonly buttonLabel: string | undefined;
}

const GraphTransition = builder.objectRef<TransitionShape>('GraphTransition').implement({
  description: 'A transition between two nodes.',
  fields: (t) => ({
    nodeSourceId: t.exposeID('from'),
    nodeTargetId: t.exposeID('to'),
    label: t.string({ resolve: ({ button, to }) => button ?? to }),
    buttonLabel: t.exposeString('buttonLabel', {
      nullable: true,
      description: 'The label of the button with which the task has to be ended, as a message key.',
    }),
    path: t.field({
      type: 'JSON',
      description: 'Always empty, because transitions are drawn as straight lines.',
      resolve: () => [],
    }),
  }),
});

interface GraphShape {
  readonly nodes: NodeShape[];
  readonly transitions: TransitionShape[];
}

const Graph = builder.objectRef<GraphShape>('Graph').implement({
  description: 'The nodes of a workflow and their transitions.',
  fields: (t) => ({
    nodes: t.expose('nodes', { type: [GraphNode] }),
    transitions: t.expose('transitions', { type: [GraphTransition] }),
  }),
});

const graphOf = (workflow: WorkflowShape, { services: { model } }: Context): GraphShape => {
  const described = model.workflows.get(workflow.model);
  const nodes = [...(described?.nodes.values() ?? [])];
  return {
    nodes: nodes.map((node) => ({ node, workflow, isStart: node === described?.start })),
    transitions: nodes.flatMap(({ id: from, task, transitions = [] }) =>
      transitions.map((each) => ({
        ...each,
        from,
        buttonLabel: task?.buttons.find(({ name }) => name === each.button)?.label,
      })),
    ),
  };
};

builder.objectField(Workflow, 'graph', (t) =>
  t.field({ type: Graph, resolve: (workflow, _, context) => graphOf(workflow, context) }),
);

builder.objectField(Task, 'graph', (t) =>
  t.field({
    type: Graph,
    description: 'The graph of the workflow to which the task belongs.',
    resolve: ({ workflow }, _, context) => graphOf(workflow, context),
  }),
);
