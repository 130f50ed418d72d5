import type { Context } from '../context.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { readableOf } from '../loaders/documents.ts';
import type { WorkflowRow } from '../loaders/workflows.ts';
import { showValue } from '../model/show-value.ts';
import type { StoredProperties } from '../model/stored.ts';
import { modelPath } from '../model/workflows/runnable.ts';
import type { WorkflowModel } from '../model/workflows/workflow-model.ts';
import { firstVariables } from '../store/workflows/variables.ts';

/** A workflow, or a model as one that has not begun. */
export interface WorkflowShape extends Omit<WorkflowRow, 'initiator' | 'state' | 'node'> {
  readonly initiator: string | null;
  readonly state: WorkflowRow['state'] | 'validated';
  /** Where it stands; a model nowhere. */
  readonly node: string | null;
}

/** The models, each with the document that stands for it; those whose document the caller may not read are left out. */
export async function modelShapes(
  { load }: Context,
  models: readonly WorkflowModel[],
): Promise<WorkflowShape[]> {
  const paths = models.map(({ name }) => modelPath(name));
  const rows = new Map((await readableOf(load.documentByPath, paths)).map((row) => [row.path, row]));
  return models.flatMap((model) => {
    const row = rows.get(modelPath(model.name));
    if (row?.type !== 'DocumentRoute') return [];
    return [
      {
        ...{ id: row.id, model: model.name, initiator: null, state: 'validated' as const, node: null },
        ...{ variables: firstVariables(model), documentIds: [] },
      },
    ];
  });
}

/** Variables as answers show them: all of a model, or some. */
export function showVariables(
  { model }: Context,
  workflow: string,
  variables: StoredProperties,
  names?: readonly string[],
): Record<string, unknown> {
  const properties = [...(model.workflows.get(workflow)?.variables.properties.values() ?? [])];
  return Object.fromEntries(
    properties
      .filter(({ name }) => names?.includes(name) ?? true)
      .map((property) => [
        property.name,
        showValue(property, variables[property.name], property.name, () => null),
      ]),
  );
}

/** The documents of a workflow that the caller may read. */
export const documentsOf = (
  { load }: Context,
  { documentIds }: Pick<WorkflowShape, 'documentIds'>,
): Promise<DocumentRow[]> => readableOf(load.documentById, documentIds);

/** Where clients find what is no document. */
export const addressIn = ({ options }: Context, ...segments: readonly string[]): string =>
  [`${options.baseUrl}/repo/${options.repository}`, ...segments.map(encodeURIComponent)].join('/');

/** Where the graph of a workflow, or of a model, is. */
export const graphOf = (context: Context, { id, model, state }: WorkflowShape): string =>
  state === 'validated'
    ? addressIn(context, 'workflowModel', model, 'graph')
    : addressIn(context, 'workflow', id, 'graph');
