import type { Schema } from '../model.ts';
import type { NodeDefinition, WorkflowDefinition } from './definition.ts';

export interface WorkflowModel extends Omit<WorkflowDefinition, 'variables' | 'keeps' | 'nodes'> {
  readonly variables: Schema;
  readonly keeps: ReadonlySet<string>;
  readonly nodes: ReadonlyMap<string, NodeDefinition>;
  readonly start: NodeDefinition;
}
