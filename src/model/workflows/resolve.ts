import type { ScalarType } from '../definitions.ts';
import { lifeCycle } from '../life-cycle.ts';
import type { DocumentType, Property, Schema, WorkflowModel } from '../model.ts';
import { type ReportFault, reportBelow, reportUnknownNames } from '../model-error.ts';
import type {
  NodeDefinition,
  TaskDefinition,
  TransitionDefinition,
  VariableChange,
  WorkflowAction,
  WorkflowCondition,
  WorkflowDefinition,
} from './definition.ts';

interface Context {
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly types: ReadonlyMap<string, DocumentType>;
  readonly report: (definition: WorkflowDefinition) => ReportFault;
}

/** The variables of a model, and a function that reports errors in the part of the model that is being checked. */
interface Check {
  readonly variables: Schema;
  readonly keeps: readonly string[];
  readonly report: ReportFault;
}

const below = ({ report, ...check }: Check, at: string): Check => ({
  ...check,
  report: reportBelow(report, at),
});

const typeName = (type: ScalarType, many: boolean): string => `${type}${many ? '[]' : ''}`;

/** Reports a name that is not a variable, or not a variable of the given type. */
function requireVariable(
  { variables, report }: Check,
  at: string,
  name: string,
  type?: ScalarType,
  many = false,
): Property | undefined {
  const property = variables.properties.get(name);
  if (!property) report(at, `${variables.name} has no field ${name}`);
  else if (type && (property.type !== type || property.many !== many))
    report(at, `${name} is not a ${typeName(type, many)}`);
  return property;
}

function checkCondition(condition: WorkflowCondition, check: Check): void {
  requireVariable(check, '.variable', condition.variable, 'is' in condition ? undefined : 'long');
  if (!('within' in condition)) return;
  const list = requireVariable(check, '.within', condition.within);
  if (list && !list.many) check.report('.within', `${list.name} is not a ${typeName(list.type, true)}`);
}

/** The types of variables to which a JSON value can be assigned, by the type of the value. */
const assignableTypes: Readonly<Record<string, readonly ScalarType[]>> = {
  number: ['long', 'double'],
  string: ['string'],
  boolean: ['boolean'],
};

function checkChange(change: VariableChange, check: Check): void {
  if ('add' in change) {
    requireVariable(check, '.variable', change.variable, 'long');
    return;
  }
  const property = requireVariable(check, '.variable', change.variable);
  if (!property || change.set === null) return;
  const { type, many } = property;
  if (many || !assignableTypes[typeof change.set]?.includes(type))
    check.report('.set', `${JSON.stringify(change.set)} is not a ${typeName(type, many)}`);
}

/** The transitions that actions can follow. Workflows cannot move documents to or from the trash. */
const transitionNames = Object.keys(lifeCycle.transitions).filter(
  (name) => name !== 'delete' && name !== 'undelete',
);

function checkActions(actions: readonly WorkflowAction[] = [], { report }: Check): void {
  for (const [index, action] of actions.entries()) {
    if (action.do !== 'follow' || transitionNames.includes(action.transition)) continue;
    report(`[${index}].transition`, `there is no transition ${action.transition}`);
  }
}

const recordFields = ['participant', 'result', 'comment'];

function checkTask({ actors, due, records, ...task }: TaskDefinition, check: Check): void {
  if (actors !== 'initiator') {
    requireVariable(check, '.actors.variable', actors.variable, 'string', true);
    if ('at' in actors) requireVariable(check, '.actors.at', actors.at, 'long');
  }
  for (const text of ['name', 'directive'] as const) {
    const value = task[text];
    if (typeof value !== 'string') requireVariable(check, `.${text}.variable`, value.variable, 'string');
  }
  if (due && 'variable' in due) requireVariable(check, '.due.variable', due.variable, 'date');
  for (const list of ['shows', 'takes', 'needs'] as const) {
    for (const [index, name] of (task[list] ?? []).entries())
      requireVariable(check, `.${list}[${index}]`, name);
  }
  for (const [index, name] of (task.takes ?? []).entries()) {
    if (!task.shows.includes(name)) check.report(`.takes[${index}]`, `${name} is not in "shows"`);
  }
  for (const [index, { runs }] of task.buttons.entries()) {
    if (runs === undefined) continue;
    requireVariable(check, `.buttons[${index}].runs`, runs, 'string');
    if (!check.keeps.includes(runs)) check.report(`.buttons[${index}].runs`, `${runs} is not in "keeps"`);
  }
  const list = records !== undefined && requireVariable(check, '.records', records, 'complex', true);
  if (list && !recordFields.every((name) => list.fields.get(name)?.type === 'string'))
    check.report('.records', `${records} must have the string fields ${recordFields.join(', ')}`);
}

const isUnconditional = ({ when = [] }: TransitionDefinition): boolean => when.length === 0;

/** Requires an unconditional transition for each button, so that a workflow never gets stuck. */
function checkTransitions({ task, transitions = [] }: NodeDefinition, { report }: Check): void {
  const names: ReadonlyArray<string | undefined> = task?.buttons.map(({ name }) => name) ?? [undefined];
  if (!task && transitions.length === 0) return;
  for (const name of names) {
    const possible = transitions.filter(({ button }) => button === undefined || button === name);
    if (!possible.some(isUnconditional))
      report(
        '.transitions',
        `there must be a transition without conditions${name === undefined ? '' : ` for the button ${name}`}`,
      );
  }
  for (const [index, { button }] of transitions.entries()) {
    if (button !== undefined && !names.includes(button))
      report(`.transitions[${index}].button`, `there is no button ${button}`);
  }
}

function checkNode(node: NodeDefinition, nodes: ReadonlyMap<string, NodeDefinition>, check: Check): void {
  checkActions(node.actions, below(check, '.actions'));
  if (node.task) checkTask(node.task, below(check, '.task'));
  checkTransitions(node, check);
  for (const [index, { to, when = [], changes = [] }] of (node.transitions ?? []).entries()) {
    const at = `.transitions[${index}]`;
    if (!nodes.has(to)) check.report(`${at}.to`, `there is no node ${to}`);
    for (const [each, condition] of when.entries())
      checkCondition(condition, below(check, `${at}.when[${each}]`));
    for (const [each, change] of changes.entries())
      checkChange(change, below(check, `${at}.changes[${each}]`));
  }
}

/** Reports a cycle of nodes without tasks, in which a workflow could run forever. */
function checkCycles(nodes: ReadonlyMap<string, NodeDefinition>, { report }: Check): void {
  const leadsBack = (id: string, path: readonly string[]): boolean => {
    if (path.includes(id)) return true;
    const node = nodes.get(id);
    return !node?.task && (node?.transitions ?? []).some(({ to }) => leadsBack(to, [...path, id]));
  };
  const cycle = [...nodes.keys()].find((id) => leadsBack(id, []));
  if (cycle !== undefined) report('.nodes', `${cycle} is in a cycle of nodes without tasks`);
}

function resolveOne(definition: WorkflowDefinition, context: Context): WorkflowModel | undefined {
  const report = context.report(definition);
  const { variables: schema, keeps = [], nodes: list, runsOn, whenCanceled } = definition;
  const variables = context.schemas.get(schema);
  const [start] = list;
  if (!variables) report('.variables', `there is no schema ${schema}`);
  if (!variables || !start) return undefined;
  const check = { variables, keeps, report };
  for (const [index, name] of keeps.entries()) requireVariable(check, `.keeps[${index}]`, name);
  reportUnknownNames(runsOn?.types, context.types, 'type', reportBelow(report, '.runsOn.types'));
  checkActions(whenCanceled, below(check, '.whenCanceled'));
  const nodes = new Map(list.map((node) => [node.id, node]));
  if (nodes.size < list.length) report('.nodes', 'two nodes have the same id');
  for (const [index, node] of list.entries()) checkNode(node, nodes, below(check, `.nodes[${index}]`));
  checkCycles(nodes, check);
  return { ...definition, variables, keeps: new Set(keeps), nodes, start };
}

export function resolveWorkflows(
  definitions: ReadonlyMap<string, WorkflowDefinition>,
  context: Context,
): ReadonlyMap<string, WorkflowModel> {
  const resolved = [...definitions.values()].map((definition) => resolveOne(definition, context));
  return new Map(resolved.filter((model) => model !== undefined).map((model) => [model.name, model]));
}
