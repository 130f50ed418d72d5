import type { Scope } from '../../scope.ts';
import { recordEvents } from '../audit/audit.ts';
import { lockWorkflow } from '../row-locks/lock-workflow.ts';
import { closeTasks, saveWorkflow } from './advance-workflow.ts';
import { findManagedWorkflow } from './find-workflow.ts';
import { asServer, routingEvents } from './routing.ts';
import { runActions } from './run-actions.ts';
import { changeDocumentAcls, taskAclRemoval } from './task-acls.ts';

/**
 * Cancels a workflow along with its open tasks.
 * @returns the id of the workflow
 * @throws NotFound; Forbidden unless the caller is the initiator, a power user or an administrator; Conflict if the
 * workflow has ended
 */
export async function cancelWorkflow(scope: Scope, id: string): Promise<string> {
  const found = await findManagedWorkflow(scope, id, 'cancel');
  const { workflow, openTasks, documents } = await lockWorkflow(scope, found);
  await saveWorkflow(scope, { ...workflow, state: 'canceled' });
  await closeTasks(scope, openTasks, { state: 'cancelled' });
  const server = asServer(scope);
  await changeDocumentAcls(server, workflow.documentIds, openTasks.map(taskAclRemoval));
  await runActions(server, workflow, scope.services.model.workflows.get(workflow.model)?.whenCanceled ?? []);
  await recordEvents(scope, routingEvents(scope, { workflow, documents }, 'workflowCanceled'));
  return found.id;
}
