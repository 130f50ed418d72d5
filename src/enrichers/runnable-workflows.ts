import { Document } from '../graphql/builder.ts';
import { type DocumentRow, isStored } from '../loaders/documents/document-row.ts';
import { loadReadable } from '../loaders/documents/documents.ts';
import { offeredModels, startObstacle, workflowModelPath } from '../model/workflows/runnable.ts';
import type { Enricher } from './enricher.ts';

const page = { pageSize: 1000, offset: 0 };

/**
 * The workflow models that the caller can start on a document (§4.9), except those that are already running on it.
 */
export const runnableWorkflowsEnricher: Enricher<DocumentRow> = {
  name: 'runnableWorkflows',
  field: (t) =>
    t.field({
      type: [Document],
      description: 'The workflow models, as documents, that the caller can start on the document.',
      resolve: async (row, _, { load, services: { model } }) => {
        if (!isStored(row)) return [];
        const models = offeredModels(model).filter((each) => startObstacle(each, row) === undefined);
        if (models.length === 0 || !(await load.access.may(row, 'ReadWrite'))) return [];
        const running = new Set((await load.workflows({}, page, row.id)).rows.map(({ model: name }) => name));
        const startable = models.filter(({ name, runsOn }) => runsOn?.repeatedly || !running.has(name));
        const found = await loadReadable(
          load.documentByPath,
          startable.map(({ name }) => workflowModelPath(name)),
        );
        return found.filter(({ type }) => type === 'DocumentRoute');
      },
    }),
  select: ({ document }) => document,
};
