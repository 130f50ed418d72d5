import { Forbidden } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { powerUsers } from '../authorities/rights.ts';
import { lockWorkflow } from '../row-locks/lock-workflow.ts';
import { runActions } from './actions.ts';
import { closeTasks, saveWorkflow } from './advance-workflow.ts';
import { findWorkflow } from './find-workflow.ts';
import { asServer, routingEvents } from './routing.ts';
import { changeDocumentAcls, taskAclRemoval } from './task-acls.ts';

/**
 * Cancels a workflow and its open tasks, and answers its id.
 * @throws NotFound; Forbidden except for the initiator, power users and administrators; Conflict when it has
 * ended.
 */
export async function cancelWorkflow(scope: Scope, id: string): Promise<string> {
  const found = await findWorkflow(scope, id);
  const { user } = scope;
  if (!user.isAdministrator && found.initiator !== user.id && !user.groups.includes(powerUsers))
    throw new Forbidden(`${user.id} is not allowed to cancel the workflow ${found.id}`);
  const { workflow, openTasks, documents } = await lockWorkflow(scope, found);
  await saveWorkflow(scope, { ...workflow, state: 'canceled' });
  await closeTasks(scope, openTasks, { state: 'cancelled' });
  const server = asServer(scope);
  await changeDocumentAcls(server, workflow.documentIds, openTasks.map(taskAclRemoval));
  await runActions(server, workflow, scope.model.workflows.get(workflow.model)?.whenCanceled ?? []);
  await recordEvents(scope, routingEvents({ workflow, documents }, 'workflowCanceled'));
  return found.id;
}
