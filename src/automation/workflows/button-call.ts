import type { TaskRow } from '../../loaders/workflows/tasks.ts';
import type { Model } from '../../model/model.ts';
import type { GivenCall } from '../input.ts';

/** A call of the operation or chain that a button names. */
interface ButtonCall extends GivenCall {
  readonly id: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * What a button of a task that has ended runs on the documents of its workflow; `taskId` is a variable.
 * @returns undefined where it runs nothing
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
