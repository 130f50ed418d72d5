import type { TaskRow } from '../../loaders/workflows/tasks.ts';
import type { Model } from '../../model/model.ts';
import type { OperationCall } from '../input.ts';

/** The call that a task's button makes to its operation or chain. */
interface ButtonCall extends OperationCall {
  readonly id: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Returns the call that a button of a completed task makes. The input of the call consists of the documents of the
 * workflow, and the variable `taskId` is set.
 * @returns undefined if the button does not call anything
 */
export function buttonCall(
  { workflows }: Pick<Model, 'workflows'>,
  { id: taskId, node, workflow }: TaskRow,
  action: string,
): ButtonCall | undefined {
  const buttons = workflows.get(workflow.model)?.nodes.get(node)?.task?.buttons ?? [];
  const variable = buttons.find(({ name }) => name === action)?.runs;
  const id = variable === undefined ? undefined : workflow.variables[variable];
  if (typeof id !== 'string' || id === '') return undefined;
  const [document, ...others] = workflow.documentIds;
  const input = others.length > 0 ? { documents: workflow.documentIds } : { document };
  return { id, input, params: {}, variables: { taskId } };
}
