import { Conflict } from '../../errors.ts';
import { advance, transitionFrom } from '../../model/workflows/progress.ts';
import type { Scope } from '../../scope.ts';
import { lockWorkflow } from '../row-locks/lock-workflow.ts';
import { advanceWorkflow, closeTasks } from './advance-workflow.ts';
import { findManagedWorkflow, workflowModelOf } from './find-workflow.ts';
import { routingEvents } from './routing.ts';

/**
 * Continues a workflow from its current node, cancelling the node's open tasks (§4.7).
 * @throws NotFound; Forbidden unless the caller is the initiator, a power user or an administrator; Conflict if the
 * workflow has ended, is at another node, or can only be continued with a button
 */
export async function resumeNode(scope: Scope, id: string, nodeId: string): Promise<void> {
  const found = await findManagedWorkflow(scope, id, 'resume');
  const locked = await lockWorkflow(scope, found);
  const { workflow, openTasks, documents } = locked;
  const model = workflowModelOf(scope, workflow);
  const node = model.nodes.get(workflow.node);
  if (node?.id !== nodeId)
    throw new Conflict(`nodeId: the workflow ${workflow.id} is at the node ${workflow.node}`);
  const { variables } = workflow;
  if (!transitionFrom(node, variables))
    throw new Conflict(`nodeId: the workflow can only leave ${nodeId} through a button of its task`);
  await closeTasks(scope, openTasks, { state: 'cancelled' });
  const events = openTasks.flatMap((task) =>
    routingEvents(scope, { workflow, documents }, 'afterWorkflowTaskEnded', { taskId: task.id }),
  );
  const progress = advance(model, { node, variables, actions: [], passed: workflow.passed });
  await advanceWorkflow(scope, locked, { progress, closed: openTasks, events });
}
