import { Conflict, Invalid } from '../../errors.ts';
import type { TaskRow } from '../../loaders/tasks.ts';
import type { WorkflowRow } from '../../loaders/workflows.ts';
import { requireStorable } from '../../model/storable.ts';
import type { StoredProperties, StoredValue } from '../../model/stored.ts';
import type { ButtonDefinition, TaskDefinition } from '../../model/workflows/definition.ts';
import { leave } from '../../model/workflows/progress.ts';
import type { Scope } from '../../scope.ts';
import { type Event, record } from '../audit.ts';
import { asServer, routing } from './held.ts';
import { type HeldTask, holdTask, saidBy } from './held-task.ts';
import { changeRights, noRightsOf } from './rights.ts';
import { closeTasks, saveWorkflow, settle } from './settle.ts';
import { requireSet, withVariables } from './variables.ts';

/** How somebody ends a task. */
export interface Answer {
  /** The name of a button. */
  readonly action: string;
  readonly comment?: string | null | undefined;
  /** By name, as JSON. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

function buttonOf({ buttons }: TaskDefinition, action: string): ButtonDefinition {
  const button = buttons.find(({ name }) => name === action);
  if (button) return button;
  throw new Invalid(`"${action}" is none of ${buttons.map(({ name }) => name).join(', ')}`);
}

/** The variables after the answer, which is one more of those that the workflow keeps. */
async function answered(
  scope: Scope,
  { model, workflow, described }: HeldTask,
  { validate, name }: ButtonDefinition,
  { comment, variables: json = {} }: Answer,
): Promise<StoredProperties> {
  const { takes = [], needs = [], records } = described;
  const current = workflow.variables;
  const variables = validate
    ? await withVariables(scope, model, { current, json, may: (each) => takes.includes(each) })
    : current;
  if (validate) requireSet(variables, needs);
  if (records === undefined) return variables;
  const answer = { participant: scope.user.id, result: name, ...(comment && { comment }) };
  return { ...variables, [records]: [...((variables[records] ?? []) as StoredValue[]), answer] };
}

/** Goes on from a task that is ended, once there is no other one at its node. */
async function goOn(
  scope: Scope,
  held: HeldTask,
  { variables, button, events }: { variables: StoredProperties; button: string; events: readonly Event[] },
): Promise<WorkflowRow> {
  const { task, workflow, model, open } = held;
  if (open.length > 1) {
    const waiting = { ...workflow, variables };
    await saveWorkflow(scope, waiting);
    await changeRights(asServer(scope), workflow.documentIds, [noRightsOf(task)]);
    await record(scope, events);
    return waiting;
  }
  const node = model.nodes.get(workflow.node);
  if (!node) throw new Conflict(`${model.name} has no node ${workflow.node} any more`);
  const progress = leave(model, { node, variables, deeds: [] }, button);
  return settle(scope, held, { progress, closed: [task], events });
}

/**
 * Ends a task by one of its buttons; the workflow goes on, unless there are other tasks at its node.
 * @throws NotFound, Forbidden; Conflict when it is ended already; Invalid on a button that it has not, and on variables
 * with a fault; Unprocessable on values that break constraints.
 */
export async function endTask(scope: Scope, id: string, answer: Answer): Promise<TaskRow> {
  requireStorable(answer);
  const held = await holdTask(scope, id, 'end');
  const { task, described, workflow, documents } = held;
  const button = buttonOf(described, answer.action);
  const variables = await answered(scope, held, button, answer);
  const { comment } = answer;
  const said = saidBy(scope, comment);
  await closeTasks(scope, [task], { state: 'ended', comments: said });
  const events = routing({ workflow, documents }, 'afterWorkflowTaskEnded', {
    ...{ comment, taskId: task.id, taskName: described.name, action: button.name },
  });
  const after = await goOn(scope, held, { variables, button: button.name, events });
  return { ...task, state: 'ended', comments: [...task.comments, ...said], workflow: after };
}
