import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const hasContentEnricher: Enricher<DocumentRow> = {
  name: 'hasContent',
  field: (t) =>
    t.boolean({
      description:
        'Whether the document has a child that the caller can read and that is neither hidden nor trashed. For a collection, whether it has such a member.',
      resolve: ({ id }, _, { load }) => load.contentChecks('hasContent', id),
    }),
  select: () => true,
};
