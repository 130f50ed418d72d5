import { Forbidden } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { record } from '../audit.ts';
import { powerUsers } from '../authorities/rights.ts';
import { doAll } from './deeds.ts';
import { asServer, findWorkflow, holdWorkflow, routing } from './held.ts';
import { changeRights, noRightsOf } from './rights.ts';
import { closeTasks, saveWorkflow } from './settle.ts';

/**
 * Ends a workflow before its time, with its open tasks.
 * @returns its id.
 * @throws NotFound; Forbidden for others than the initiator, power users and administrators; Conflict when it has ended.
 */
export async function cancelWorkflow(scope: Scope, id: string): Promise<string> {
  const found = await findWorkflow(scope, id);
  const { user } = scope;
  if (!user.isAdministrator && found.initiator !== user.id && !user.groups.includes(powerUsers))
    throw new Forbidden(`${user.id} is not allowed to cancel the workflow ${found.id}`);
  const { workflow, open, documents } = await holdWorkflow(scope, found);
  await saveWorkflow(scope, { ...workflow, state: 'canceled' });
  await closeTasks(scope, open, { state: 'cancelled' });
  const server = asServer(scope);
  await changeRights(server, workflow.documentIds, open.map(noRightsOf));
  await doAll(server, workflow, scope.model.workflows.get(workflow.model)?.whenCanceled ?? []);
  await record(scope, routing({ workflow, documents }, 'workflowCanceled'));
  return found.id;
}
