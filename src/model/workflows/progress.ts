import type { StoredProperties, StoredValue } from '../stored.ts';
import type { Change, Condition, Deed, NodeDefinition } from './definition.ts';
import type { WorkflowModel } from './workflow-model.ts';

/** Where a workflow has come to. */
export interface Progress {
  readonly node: NodeDefinition;
  /** By name. */
  readonly variables: StoredProperties;
  /** What is to be done on the way, in this order. */
  readonly deeds: readonly Deed[];
}

/** Whether nothing comes after a node. */
export const isEnd = ({ transitions = [] }: NodeDefinition): boolean => transitions.length === 0;

const lengthOf = (value: StoredValue | undefined): number => (Array.isArray(value) ? value.length : 0);

function holds(condition: Condition, variables: StoredProperties): boolean {
  const value = variables[condition.variable] ?? null;
  if ('is' in condition) return value === condition.is;
  const place = Number(value);
  if ('below' in condition) return place < condition.below;
  return place >= 0 && place < lengthOf(variables[condition.within]);
}

function changed(variables: StoredProperties, changes: readonly Change[]): StoredProperties {
  const after = { ...variables };
  for (const change of changes)
    after[change.variable] = 'set' in change ? change.set : Number(after[change.variable] ?? 0) + change.add;
  return after;
}

/** Comes to a node, and goes on from it as long as there is nothing to wait for. */
function arrive(model: WorkflowModel, { node, variables, deeds }: Progress): Progress {
  const there = { node, variables, deeds: [...deeds, ...(node.deeds ?? [])] };
  return node.task || isEnd(node) ? there : leave(model, there);
}

/**
 * Goes on from a node along the first transition that fits, to the next one with a task, or to an end.
 * @param button how the last task there was ended.
 */
export function leave(model: WorkflowModel, { node, variables, deeds }: Progress, button?: string): Progress {
  const transition = node.transitions?.find(
    (each) =>
      (each.button === undefined || each.button === button) &&
      (each.when ?? []).every((condition) => holds(condition, variables)),
  );
  const next = transition && model.nodes.get(transition.to);
  if (!transition || !next) throw new Error(`${model.name}: no way leads on from ${node.id}`);
  return arrive(model, { node: next, variables: changed(variables, transition.changes ?? []), deeds });
}

/** Where a workflow begins. */
export const begin = (model: WorkflowModel, variables: StoredProperties): Progress =>
  arrive(model, { node: model.start, variables, deeds: [] });
