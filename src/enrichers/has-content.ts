import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const hasContentEnricher: Enricher<DocumentRow> = {
  name: 'hasContent',
  field: (t) =>
    t.boolean({
      description:
        'Whether there is a readable child, or member of the collection, neither hidden nor trashed.',
      resolve: ({ id }, _, { load }) => load.contentChecks('hasContent', id),
    }),
  select: () => true,
};
