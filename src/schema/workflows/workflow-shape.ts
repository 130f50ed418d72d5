import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { loadReadable } from '../../loaders/documents/documents.ts';
import type { WorkflowShape } from '../../loaders/workflows/workflows.ts';
import type { WorkflowModel } from '../../model/model.ts';
import { renderValue } from '../../model/values/render-value.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import { workflowModelPath } from '../../model/workflows/runnable.ts';
import { firstVariables } from '../../store/workflows/variables.ts';

/** Workflow models with their documents. Models whose document the caller cannot read are omitted. */
export async function modelShapes(
  { load }: Context,
  models: readonly WorkflowModel[],
): Promise<WorkflowShape[]> {
  const paths = models.map(({ name }) => workflowModelPath(name));
  const rows = new Map((await loadReadable(load.documentByPath, paths)).map((row) => [row.path, row]));
  return models.flatMap((model) => {
    const row = rows.get(workflowModelPath(model.name));
    if (row?.type !== 'DocumentRoute') return [];
    return [
      {
        id: row.id,
        model: model.name,
        initiator: null,
        state: 'validated' as const,
        node: null,
        passed: [],
        variables: firstVariables(model),
        documentIds: [],
      },
    ];
  });
}

export function renderVariables(
  { services: { model } }: Context,
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
        renderValue(property, variables[property.name], property.name, () => null),
      ]),
  );
}

export const attachedDocuments = (
  { load }: Context,
  { documentIds }: Pick<WorkflowShape, 'documentIds'>,
): Promise<DocumentRow[]> => loadReadable(load.documentById, documentIds);

export const graphUrl = (
  { options: { links, repository } }: Context,
  { id, model, state }: WorkflowShape,
): string =>
  state === 'validated' ? links.workflowModelGraph(repository, model) : links.workflowGraph(repository, id);
