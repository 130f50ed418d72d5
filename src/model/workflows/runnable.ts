import type { Model, WorkflowModel } from '../model.ts';
import { singleTask } from './single-task.ts';

/** The properties of a document that determine whether a workflow can start on it. */
interface Candidate {
  readonly type: string;
  readonly state: string;
  readonly isTrashed: boolean;
  readonly isVersion: boolean;
  readonly isProxy: boolean;
  readonly lockOwner: string | null;
}

/** Returns the reason, apart from permissions, why a workflow cannot start on a document; undefined if it can start. */
export function startObstacle(
  { runsOn = {} }: Pick<WorkflowModel, 'runsOn'>,
  { type, state, isTrashed, isVersion, isProxy, lockOwner }: Candidate,
): string | undefined {
  if (isVersion || isProxy) return 'it cannot be modified';
  if (isTrashed) return 'it is in the trash';
  if (runsOn.types && !runsOn.types.includes(type)) return `it is a ${type}`;
  if (runsOn.notIn?.includes(state)) return `it is ${state}`;
  if (runsOn.unlocked && lockOwner !== null) return `it is locked by '${lockOwner}'`;
  return undefined;
}

/** Returns the workflow models that clients can see and start. */
export const offeredModels = ({ workflows }: Pick<Model, 'workflows'>): WorkflowModel[] =>
  [...workflows.values()].filter(({ name }) => name !== singleTask.name);

/** The folder of the documents that represent workflow models. */
export const workflowModelsRoot = '/document-route-models-root';

export const workflowModelPath = (name: string): string => `${workflowModelsRoot}/${name}`;
