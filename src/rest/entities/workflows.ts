import { fetchable } from '../../fetch/index.ts';
import type { Inside } from '../../fetch/task.ts';
import { entityType, merge, type Selection } from '../../selection.ts';
import type { Shape } from '../headers.ts';
import { page } from './page.ts';

/** §2.6, without what it is about. */
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

/** §2.6: a task, with what `fetch.task` names. */
export const taskOf = ({ fetch }: Shape, inside: Inside): Selection => ({
  ...merge(taskFields, ...(fetch.task ?? []).map((name) => fetchable.task[name]?.(inside) ?? {})),
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

/** §2.6: a workflow, with what `fetch.workflow` names. */
export const workflowOf = ({ fetch }: Shape, inside: Inside): Selection =>
  merge(workflowFields, ...(fetch.workflow ?? []).map((name) => fetchable.workflow[name]?.(inside) ?? {}));

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

/** Tasks, workflows and their graphs. */
export const workflowEntities = ({ task, workflow }: Record<'task' | 'workflow', Selection>) =>
  ({
    task,
    tasks: { ...page, entries: task },
    workflow,
    workflows: { ...page, entries: workflow },
    graph,
  }) satisfies Record<string, Selection>;
