import type { WorkflowModel } from '../model.ts';
import type { StoredProperties, StoredValue } from '../values/stored.ts';
import type {
  NodeDefinition,
  TransitionDefinition,
  VariableChange,
  WorkflowAction,
  WorkflowCondition,
} from './definition.ts';

export interface WorkflowProgress {
  readonly node: NodeDefinition;
  readonly variables: StoredProperties;
  /** The actions of all nodes that the workflow has passed through on its way to this node, in order. */
  readonly actions: readonly WorkflowAction[];
  /** The ids of the nodes that the workflow has left on its way to this node, in order. */
  readonly passed: readonly string[];
}

export const isEndNode = ({ transitions = [] }: NodeDefinition): boolean => transitions.length === 0;

const lengthOf = (value: StoredValue | undefined): number => (Array.isArray(value) ? value.length : 0);

function holds(condition: WorkflowCondition, variables: StoredProperties): boolean {
  const value = variables[condition.variable] ?? null;
  if ('is' in condition) return value === condition.is;
  const number = Number(value);
  if ('below' in condition) return number < condition.below;
  return number >= 0 && number < lengthOf(variables[condition.within]);
}

function applyChanges(variables: StoredProperties, changes: readonly VariableChange[]): StoredProperties {
  const changed = { ...variables };
  for (const change of changes)
    changed[change.variable] =
      'set' in change ? change.set : Number(changed[change.variable] ?? 0) + change.add;
  return changed;
}

/**
 * Enters a node and, if it has no task, continues to the next one. This terminates, because models have no cycles
 * of nodes without tasks.
 */
function arrive(model: WorkflowModel, progress: WorkflowProgress): WorkflowProgress {
  const { node, actions } = progress;
  const arrived = { ...progress, actions: [...actions, ...(node.actions ?? [])] };
  return node.task || isEndNode(node) ? arrived : advance(model, arrived);
}

/**
 * Returns the transition that a workflow follows from a node, which is the first one whose button and conditions match.
 */
export const transitionFrom = (
  { transitions }: NodeDefinition,
  variables: StoredProperties,
  button?: string,
): TransitionDefinition | undefined =>
  transitions?.find(
    (each) =>
      (each.button === undefined || each.button === button) &&
      (each.when ?? []).every((condition) => holds(condition, variables)),
  );

/**
 * Follows the first transition whose conditions are satisfied, until the workflow reaches a node with a task or an
 * end node.
 * @param button the button that ended the last task of the node
 */
export function advance(
  model: WorkflowModel,
  { node, variables, actions, passed }: WorkflowProgress,
  button?: string,
): WorkflowProgress {
  const transition = transitionFrom(node, variables, button);
  const next = transition && model.nodes.get(transition.to);
  if (!transition || !next)
    throw new Error(`${model.name}: none of the transitions from ${node.id} can be followed`);
  return arrive(model, {
    node: next,
    variables: applyChanges(variables, transition.changes ?? []),
    actions,
    passed: [...passed, node.id],
  });
}

export const initialProgress = (model: WorkflowModel, variables: StoredProperties): WorkflowProgress =>
  arrive(model, { node: model.start, variables, actions: [], passed: [] });
