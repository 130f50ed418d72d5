import type { DocumentRow } from '../loaders/document-row.ts';
import { readableOf } from '../loaders/documents.ts';
import { modelPath, whyNotOn } from '../model/workflows/runnable.ts';
import { Document } from '../schema/builder.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: the documents of the workflow models that the caller may start on the document. */
export const runnableWorkflows: Enricher<DocumentRow> = {
  name: 'runnableWorkflows',
  field: (t) =>
    t.field({
      type: [Document],
      description:
        'The workflow models that the caller may start on it; their names are those of the models.',
      resolve: async (row, _, { load, model }) => {
        const models = [...model.workflows.values()].filter((each) => whyNotOn(each, row) === undefined);
        if (models.length === 0 || !(await load.access.may(row.aclId, 'ReadWrite'))) return [];
        const found = await readableOf(
          load.documentByPath,
          models.map(({ name }) => modelPath(name)),
        );
        return found.filter(({ type }) => type === 'DocumentRoute');
      },
    }),
  select: ({ document }) => document,
};
