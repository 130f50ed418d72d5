import { Invalid } from '../../errors.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { lockWorkflow } from '../row-locks/lock-workflow.ts';
import { saveWorkflow } from './advance-workflow.ts';
import { findManagedWorkflow, workflowModelOf } from './find-workflow.ts';
import { withVariables } from './variables.ts';

/**
 * Sets a variable of a running workflow. Some variables of a model can be set only by administrators.
 * @throws NotFound; Forbidden unless the caller is the initiator, a power user or an administrator; Conflict if the
 * workflow has ended; Invalid for an unknown variable or a value of the wrong type; Unprocessable for a value that
 * violates a constraint
 */
export async function setWorkflowVariable(
  scope: Scope,
  id: string,
  { name, value }: { readonly name: string; readonly value: unknown },
): Promise<void> {
  requireStorable([name, value]);
  const found = await findManagedWorkflow(scope, id, 'change');
  const model = workflowModelOf(scope, found);
  if (!model.variables.properties.has(name))
    throw new Invalid(`name: the workflow model ${model.name} has no variable ${name}`);
  const { workflow } = await lockWorkflow(scope, found);
  const may = (each: string) => scope.user.isAdministrator || !model.keeps.has(each);
  const input = { current: workflow.variables, json: { [name]: value }, may };
  const variables = await withVariables(scope, model, input);
  await saveWorkflow(scope, { ...workflow, variables });
}
