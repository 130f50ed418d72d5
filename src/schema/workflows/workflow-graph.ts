import { builder, Workflow } from '../../graphql/builder.ts';
import type { WorkflowShape } from '../../loaders/workflows/workflows.ts';
import { labelText } from '../../model/labels.ts';
import type { NodeDefinition, TransitionDefinition } from '../../model/workflows/definition.ts';
import { isEndNode } from '../../model/workflows/progress.ts';

interface NodeShape {
  readonly node: NodeDefinition;
  readonly isStart: boolean;
  readonly isCurrent: boolean;
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
      resolve: ({ isCurrent }) => (isCurrent ? 'suspended' : 'ready'),
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
}

const GraphTransition = builder.objectRef<TransitionShape>('GraphTransition').implement({
  description: 'A transition between two nodes.',
  fields: (t) => ({
    nodeSourceId: t.exposeID('from'),
    nodeTargetId: t.exposeID('to'),
    label: t.string({ resolve: ({ button, to }) => button ?? to }),
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

const graphOf = (
  { node: current, state }: WorkflowShape,
  list: readonly NodeDefinition[],
  start: NodeDefinition | undefined,
): GraphShape => ({
  nodes: list.map((node) => ({
    node,
    isStart: node === start,
    isCurrent: state === 'running' && node.id === current,
  })),
  transitions: list.flatMap(({ id: from, transitions = [] }) =>
    transitions.map((each) => ({ ...each, from })),
  ),
});

builder.objectField(Workflow, 'graph', (t) =>
  t.field({
    type: Graph,
    resolve: (workflow, _, { services: { model } }) => {
      const described = model.workflows.get(workflow.model);
      return graphOf(workflow, [...(described?.nodes.values() ?? [])], described?.start);
    },
  }),
);
