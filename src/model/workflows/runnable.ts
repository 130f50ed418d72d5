import type { WorkflowModel } from './workflow-model.ts';

/** What of a document decides whether a workflow may start on it. */
interface Candidate {
  readonly type: string;
  readonly state: string;
  readonly isTrashed: boolean;
  readonly isVersion: boolean;
  readonly isProxy: boolean;
  readonly lockOwner: string | null;
}

/** Why a workflow may not start on a document, whoever asks; undefined when it may. */
export function whyNotOn(
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

/** Where the documents of workflow models are kept. */
export const modelsRoot = '/document-route-models-root';

/** The path of the document of a workflow model. */
export const modelPath = (name: string): string => `${modelsRoot}/${name}`;
