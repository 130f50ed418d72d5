import { Conflict, Invalid } from '../../errors.ts';
import type { TaskRow } from '../../loaders/workflows/tasks.ts';
import type { WorkflowRow } from '../../loaders/workflows/workflows.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { StoredProperties, StoredValue } from '../../model/values/stored.ts';
import type { ButtonDefinition, TaskDefinition } from '../../model/workflows/definition.ts';
import { advance } from '../../model/workflows/progress.ts';
import type { Scope } from '../../scope.ts';
import { type AuditEvent, recordEvents } from '../audit/audit.ts';
import { type LockedTask, lockTask } from '../row-locks/lock-task.ts';
import { advanceWorkflow, closeTasks, saveWorkflow } from './advance-workflow.ts';
import { asServer, callerComments, routingEvents } from './routing.ts';
import { changeDocumentAcls, taskAclRemoval } from './task-acls.ts';
import { requireKnownVariables, requireVariables, withVariables } from './variables.ts';

/** An actor's input when completing a task. */
interface TaskCompletion {
  readonly action: string;
  readonly comment?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>>;
}

function buttonOf({ buttons }: TaskDefinition, action: string): ButtonDefinition {
  const button = buttons.find(({ name }) => name === action);
  if (button) return button;
  throw new Invalid(
    `"${action}" is not a button of this task. The buttons are ${buttons.map(({ name }) => name).join(', ')}.`,
  );
}

/** Returns the variables of the workflow after an actor has completed a task. */
async function answered(
  scope: Scope,
  { model, workflow, definition }: LockedTask,
  { validate, name }: ButtonDefinition,
  { comment, variables: json = {} }: TaskCompletion,
): Promise<StoredProperties> {
  const { takes = [], needs = [], records } = definition;
  const current = workflow.variables;
  requireKnownVariables(scope, model, json);
  const variables = validate
    ? await withVariables(scope, model, {
        current,
        json,
        may: (each) => takes.includes(each),
        grows: records,
      })
    : current;
  if (validate) requireVariables(scope, model, variables, needs);
  if (records === undefined) return variables;
  const answer = { participant: scope.user.id, result: name, ...(comment && { comment }) };
  return { ...variables, [records]: [...((variables[records] ?? []) as StoredValue[]), answer] };
}

/** Advances the workflow if this was the last open task of its node; otherwise, the workflow waits for the others. */
async function advanceAfter(
  scope: Scope,
  locked: LockedTask,
  {
    variables,
    button,
    events,
  }: { variables: StoredProperties; button: string; events: readonly AuditEvent[] },
): Promise<WorkflowRow> {
  const { task, workflow, model, openTasks } = locked;
  if (openTasks.length > 1) {
    const waiting = { ...workflow, variables };
    await saveWorkflow(scope, waiting);
    await changeDocumentAcls(asServer(scope), workflow.documentIds, [taskAclRemoval(task)]);
    await recordEvents(scope, events);
    return waiting;
  }
  const node = model.nodes.get(workflow.node);
  if (!node) throw new Conflict(`The workflow model ${model.name} no longer has the node ${workflow.node}.`);
  const progress = advance(model, { node, variables, actions: [], passed: workflow.passed }, button);
  return advanceWorkflow(scope, locked, { progress, closed: [task], events });
}

/**
 * Completes a task with one of its buttons. After the last task of its node, the workflow advances (§4.7).
 * @throws NotFound, Forbidden; Conflict if the task has ended; Invalid for an unknown button or invalid variables;
 * Unprocessable for missing variables and values that violate constraints
 */
export async function endTask(scope: Scope, id: string, answer: TaskCompletion): Promise<TaskRow> {
  requireStorable(answer);
  const locked = await lockTask(scope, id, 'end');
  const { task, taskName, definition, workflow, documents } = locked;
  const button = buttonOf(definition, answer.action);
  const variables = await answered(scope, locked, button, answer);
  const { comment } = answer;
  const newComments = callerComments(scope, comment);
  await closeTasks(scope, [task], { state: 'ended', comments: newComments });
  const events = routingEvents(scope, { workflow, documents }, 'afterWorkflowTaskEnded', {
    comment,
    taskId: task.id,
    taskName,
    action: button.name,
  });
  const after = await advanceAfter(scope, locked, { variables, button: button.name, events });
  return { ...task, state: 'ended', comments: [...task.comments, ...newComments], workflow: after };
}
