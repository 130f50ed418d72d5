import type { ScalarType } from '../definitions.ts';
import type { Report } from '../field-faults.ts';
import { lifeCycle } from '../life-cycle.ts';
import type { DocumentType, Property, Schema } from '../model.ts';
import { unknownOf } from '../resolve-types.ts';
import type {
  Change,
  Condition,
  Deed,
  NodeDefinition,
  TaskDefinition,
  TransitionDefinition,
  WorkflowDefinition,
} from './definition.ts';
import type { WorkflowModel } from './workflow-model.ts';

/** What workflow models are resolved against. */
export interface WorkflowContext {
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly types: ReadonlyMap<string, DocumentType>;
  readonly report: (definition: WorkflowDefinition) => Report;
}

/** Says that a variable must be there, and of which type. */
type Require = (at: string, name: string, type?: ScalarType, many?: boolean) => Property | undefined;

const requiring =
  ({ properties, name: schema }: Schema, report: Report): Require =>
  (at, name, type, many = false) => {
    const property = properties.get(name);
    if (!property) report(at, `${schema} has no field ${name}`);
    else if (type && (property.type !== type || property.many !== many))
      report(at, `${name} is no ${type}${many ? '[]' : ''}`);
    return property;
  };

function checkCondition(condition: Condition, require: Require): void {
  const { variable } = condition;
  if ('is' in condition) require('.variable', variable);
  else require('.variable', variable, 'long');
  if (!('within' in condition)) return;
  const list = require('.within', condition.within);
  if (list && !list.many) require('.within', condition.within, list.type, true);
}

/** Which variables a value of JSON can be given to. */
const typesOf: Readonly<Record<string, readonly ScalarType[]>> = {
  number: ['long', 'double'],
  string: ['string'],
  boolean: ['boolean'],
};

function checkChange(change: Change, require: Require, report: Report): void {
  if ('add' in change) return void require('.variable', change.variable, 'long');
  const property = require('.variable', change.variable);
  if (!property || change.set === null) return;
  if (property.many || !typesOf[typeof change.set]?.includes(property.type))
    report('.set', `${JSON.stringify(change.set)} is no ${property.type}${property.many ? '[]' : ''}`);
}

/** The trash is for people alone. */
const followed = Object.keys(lifeCycle.transitions).filter(
  (name) => name !== 'delete' && name !== 'undelete',
);

function checkDeeds(deeds: readonly Deed[] = [], report: Report): void {
  for (const [index, deed] of deeds.entries()) {
    if (deed.do !== 'follow' || followed.includes(deed.transition)) continue;
    report(`[${index}].transition`, `there is no transition ${deed.transition}`);
  }
}

const answer = ['participant', 'result', 'comment'];

function checkTask(
  { actors, due, records, ...task }: TaskDefinition,
  require: Require,
  report: Report,
): void {
  if (actors !== 'initiator') {
    require('.actors.variable', actors.variable, 'string', true);
    if (actors.at !== undefined) require('.actors.at', actors.at, 'long');
  }
  if (due && 'variable' in due) require('.due.variable', due.variable, 'date');
  for (const list of ['shows', 'takes', 'needs'] as const) {
    for (const [index, name] of (task[list] ?? []).entries()) require(`.${list}[${index}]`, name);
  }
  for (const [index, name] of (task.takes ?? []).entries()) {
    if (!task.shows.includes(name)) report(`.takes[${index}]`, `${name} is not shown`);
  }
  const list = records !== undefined && require('.records', records, 'complex', true);
  if (list && !answer.every((name) => list.fields.get(name)?.type === 'string'))
    report('.records', `${records} has no texts ${answer.join(', ')}`);
}

const isSure = ({ when = [] }: TransitionDefinition): boolean => when.length === 0;

/** Whatever happens, a workflow knows where to go. */
function checkTransitions({ task, transitions = [] }: NodeDefinition, report: Report): void {
  const names: ReadonlyArray<string | undefined> = task?.buttons.map(({ name }) => name) ?? [undefined];
  if (!task && transitions.length === 0) return;
  for (const name of names) {
    const fitting = transitions.filter(({ button }) => button === undefined || button === name);
    if (!fitting.some(isSure))
      report('.transitions', `none without conditions${name === undefined ? '' : ` for the button ${name}`}`);
  }
  for (const [index, { button }] of transitions.entries()) {
    if (button !== undefined && !names.includes(button))
      report(`.transitions[${index}].button`, `there is no button ${button}`);
  }
}

function checkNode(
  node: NodeDefinition,
  { nodes, require, report }: { nodes: ReadonlyMap<string, unknown>; require: Require; report: Report },
): void {
  const below = (at: string): [Require, Report] => [
    (place, ...wanted) => require(at + place, ...wanted),
    (place, fault) => report(at + place, fault),
  ];
  checkDeeds(node.deeds, below('.deeds')[1]);
  if (node.task) checkTask(node.task, ...below('.task'));
  checkTransitions(node, report);
  for (const [index, { to, when = [], changes = [] }] of (node.transitions ?? []).entries()) {
    const at = `.transitions[${index}]`;
    if (!nodes.has(to)) report(`${at}.to`, `there is no node ${to}`);
    for (const [each, condition] of when.entries())
      checkCondition(condition, below(`${at}.when[${each}]`)[0]);
    for (const [each, change] of changes.entries()) checkChange(change, ...below(`${at}.changes[${each}]`));
  }
}

/** Nodes without tasks may not lead back to themselves by such nodes alone: a workflow would never rest. */
function checkRest(nodes: ReadonlyMap<string, NodeDefinition>, report: Report): void {
  const leadsBack = (id: string, way: readonly string[]): boolean => {
    if (way.includes(id)) return true;
    const node = nodes.get(id);
    return !node?.task && (node?.transitions ?? []).some(({ to }) => leadsBack(to, [...way, id]));
  };
  for (const id of nodes.keys()) {
    if (!leadsBack(id, [])) continue;
    report('.nodes', `from ${id} a workflow may go in a circle without a task`);
    return;
  }
}

function resolveOne(definition: WorkflowDefinition, context: WorkflowContext): WorkflowModel | undefined {
  const report = context.report(definition);
  const { variables: schema, keeps = [], nodes: list, runsOn, whenCanceled } = definition;
  const variables = context.schemas.get(schema);
  const [start] = list;
  if (!variables) report('.variables', `there is no schema ${schema}`);
  if (!variables || !start) return undefined;
  const require = requiring(variables, report);
  for (const [index, name] of keeps.entries()) require(`.keeps[${index}]`, name);
  for (const [name, index] of unknownOf(runsOn?.types, context.types))
    report(`.runsOn.types[${index}]`, `there is no type ${name}`);
  checkDeeds(whenCanceled, (at, fault) => report(`.whenCanceled${at}`, fault));
  const nodes = new Map(list.map((node) => [node.id, node]));
  if (nodes.size < list.length) report('.nodes', 'two have the same id');
  for (const [index, node] of list.entries()) {
    const at = `.nodes[${index}]`;
    checkNode(node, {
      nodes,
      require: (place, ...wanted) => require(at + place, ...wanted),
      report: (place, fault) => report(at + place, fault),
    });
  }
  checkRest(nodes, report);
  return { ...definition, variables, keeps: new Set(keeps), nodes, start };
}

/** All workflow models; what is wrong with one is reported. */
export function resolveWorkflows(
  definitions: ReadonlyMap<string, WorkflowDefinition>,
  context: WorkflowContext,
): ReadonlyMap<string, WorkflowModel> {
  const resolved = [...definitions.values()].map((definition) => resolveOne(definition, context));
  return new Map(resolved.filter((model) => model !== undefined).map((model) => [model.name, model]));
}
