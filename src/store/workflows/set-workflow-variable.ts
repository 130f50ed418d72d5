import { Forbidden, Invalid } from '../../errors.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { powerUsers } from '../authorities/rights.ts';
import { lockWorkflow } from '../row-locks/lock-workflow.ts';
import { saveWorkflow } from './advance-workflow.ts';
import { findWorkflow, workflowModelOf } from './find-workflow.ts';
import { withVariables } from './variables.ts';

/**
 * Sets a variable of a running workflow.
 * @throws NotFound; Forbidden except for the initiator, power users and administrators; Conflict when it has
 * ended; Invalid for an unknown variable or a value of another type; Unprocessable for a broken constraint.
 */
export async function setWorkflowVariable(
  scope: Scope,
  id: string,
  { name, value }: { readonly name: string; readonly value: unknown },
): Promise<void> {
  requireStorable([name, value]);
  const found = await findWorkflow(scope, id);
  const { user } = scope;
  if (!user.isAdministrator && found.initiator !== user.id && !user.groups.includes(powerUsers))
    throw new Forbidden(`${user.id} is not allowed to change the workflow ${found.id}`);
  const model = workflowModelOf(scope, found);
  if (!model.variables.properties.has(name)) throw new Invalid(`name: ${model.name} has no variable ${name}`);
  const { workflow } = await lockWorkflow(scope, found);
  const given = { current: workflow.variables, json: { [name]: value }, may: () => true };
  const variables = await withVariables(scope, model, given);
  await saveWorkflow(scope, { ...workflow, variables });
}
