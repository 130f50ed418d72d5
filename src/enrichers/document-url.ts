import { type DocumentRow, isStored } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const documentUrlEnricher: Enricher<DocumentRow> = {
  name: 'documentURL',
  field: (t) =>
    t.string({
      nullable: true,
      description:
        'The URL of the page that shows the document in a client; null if the document is not stored.',
      resolve: (row, _, { options }) => (isStored(row) ? options.links.document(row) : null),
    }),
  select: () => true,
};
