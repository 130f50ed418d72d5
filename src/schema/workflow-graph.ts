import type { NodeDefinition, TransitionDefinition } from '../model/workflows/definition.ts';
import { isEnd } from '../model/workflows/progress.ts';
import { builder, Workflow } from './builder.ts';
import type { WorkflowShape } from './workflow-shape.ts';

interface NodeShape {
  readonly node: NodeDefinition;
  readonly isStart: boolean;
  readonly isCurrent: boolean;
}

const GraphNode = builder.objectRef<NodeShape>('GraphNode').implement({
  description: 'A step of a workflow.',
  fields: (t) => ({
    id: t.id({ resolve: ({ node }) => node.id }),
    title: t.string({ description: 'A label key.', resolve: ({ node }) => node.title ?? node.id }),
    x: t.float({ resolve: ({ node }) => node.place?.x ?? 0 }),
    y: t.float({ resolve: ({ node }) => node.place?.y ?? 0 }),
    state: t.string({
      description: 'suspended where the workflow waits for tasks, ready elsewhere.',
      resolve: ({ isCurrent }) => (isCurrent ? 'suspended' : 'ready'),
    }),
    isStartNode: t.boolean({ resolve: ({ isStart }) => isStart }),
    isEndNode: t.boolean({ resolve: ({ node }) => isEnd(node) }),
    isForkNode: t.boolean({ description: 'A workflow is at one node: never.', resolve: () => false }),
    isMerge: t.boolean({ resolve: () => false }),
    isMultiTask: t.boolean({
      description: 'Whether there is a task for each of a list.',
      resolve: ({ node: { task } }) => task !== undefined && task.actors !== 'initiator' && !task.actors.at,
    }),
    hasSubWorkflow: t.boolean({ resolve: () => false }),
  }),
});

interface TransitionShape extends TransitionDefinition {
  readonly from: string;
}

const GraphTransition = builder.objectRef<TransitionShape>('GraphTransition').implement({
  description: 'A way from one step to another.',
  fields: (t) => ({
    nodeSourceId: t.exposeID('from'),
    nodeTargetId: t.exposeID('to'),
    label: t.string({ resolve: ({ button, to }) => button ?? to }),
    path: t.field({ type: 'JSON', description: 'Drawn straight: no points.', resolve: () => [] }),
  }),
});

interface GraphShape {
  readonly nodes: NodeShape[];
  readonly transitions: TransitionShape[];
}

const Graph = builder.objectRef<GraphShape>('Graph').implement({
  description: 'The steps of a workflow, and the ways between them.',
  fields: (t) => ({
    nodes: t.field({ type: [GraphNode], resolve: ({ nodes }) => nodes }),
    transitions: t.field({ type: [GraphTransition], resolve: ({ transitions }) => transitions }),
  }),
});

const graphOf = (
  { node: current, state }: WorkflowShape,
  list: readonly NodeDefinition[],
  start: NodeDefinition | undefined,
): GraphShape => ({
  nodes: list.map((node) => ({
    ...{ node, isStart: node === start },
    isCurrent: state === 'running' && node.id === current,
  })),
  transitions: list.flatMap(({ id: from, transitions = [] }) =>
    transitions.map((each) => ({ ...each, from })),
  ),
});

builder.objectField(Workflow, 'graph', (t) =>
  t.field({
    type: Graph,
    resolve: (workflow, _, { model }) => {
      const described = model.workflows.get(workflow.model);
      return graphOf(workflow, [...(described?.nodes.values() ?? [])], described?.start);
    },
  }),
);
