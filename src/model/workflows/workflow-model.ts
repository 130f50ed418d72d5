import type { Schema } from '../model.ts';
import type { NodeDefinition, WorkflowDefinition } from './definition.ts';

/** A workflow model with everything looked up. */
export interface WorkflowModel extends Omit<WorkflowDefinition, 'variables' | 'keeps' | 'nodes'> {
  /** Of its variables. */
  readonly variables: Schema;
  readonly keeps: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, NodeDefinition>;
  readonly start: NodeDefinition;
}
