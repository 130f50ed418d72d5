import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const documentUrlEnricher: Enricher<DocumentRow> = {
  name: 'documentURL',
  field: (t) =>
    t.string({
      description: 'The address of the document for clients, by its id.',
      resolve: (row, _, { options }) => options.links.document(row),
    }),
  select: () => true,
};
