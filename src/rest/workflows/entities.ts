import { entityType, mergeSelections, type Selection } from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';
import type { FetchSelections } from '../fetch-properties.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';

/** A task (§2.6) without its documents. */
const taskFields: Selection = {
  'entity-type': entityType,
  id: true,
  name: true,
  workflowInstanceId: true,
  workflowModelName: true,
  workflowInitiator: true,
  workflowTitle: true,
  workflowLifeCycleState: true,
  graphResource: true,
  state: true,
  directive: true,
  created: true,
  dueDate: true,
  nodeName: true,
  targetDocumentIds: { id: true },
  actors: { id: true },
  delegatedActors: { id: true },
  comments: { author: true, text: true, date: true },
  variables: true,
};

const resource: Selection = { name: true, url: true };

const taskInfo: Selection = {
  allowTaskReassignment: true,
  taskActions: { name: true, url: true, label: true, validate: true },
  layoutResource: resource,
  schemas: resource,
};

/** A task with the documents and users that `fetch.task` resolves (§2.6). */
export const taskSelection = ({ fetch }: ResponseShape, inside: FetchSelections): Selection => ({
  ...mergeSelections(
    taskFields,
    ...(fetch.task ?? []).map((name) => fetchProperties.task[name]?.(inside) ?? {}),
  ),
  taskInfo,
});

const workflowFields: Selection = {
  'entity-type': entityType,
  id: true,
  name: true,
  title: true,
  state: true,
  workflowModelName: true,
  initiator: true,
  attachedDocumentIds: { id: true },
  variables: true,
  graphResource: true,
};

/** A workflow (§2.6). */
export const workflowSelection = ({ fetch }: ResponseShape, inside: FetchSelections): Selection =>
  mergeSelections(
    workflowFields,
    ...(fetch.workflow ?? []).map((name) => fetchProperties.workflow[name]?.(inside) ?? {}),
  );

const graph: Selection = {
  'entity-type': entityType,
  nodes: {
    x: true,
    y: true,
    isForkNode: true,
    isStartNode: true,
    isEndNode: true,
    id: true,
    title: true,
    state: true,
    isMerge: true,
    isMultiTask: true,
    hasSubWorkflow: true,
  },
  transitions: { nodeSourceId: true, nodeTargetId: true, label: true, path: true },
};

export const workflowEntities = ({ task, workflow }: Record<'task' | 'workflow', Selection>) =>
  ({
    task,
    tasks: { ...pageSelection, entries: task },
    workflow,
    workflows: { ...pageSelection, entries: workflow },
    graph,
  }) satisfies Record<string, Selection>;
