import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const hasFolderishChildEnricher: Enricher<DocumentRow> = {
  name: 'hasFolderishChild',
  field: (t) =>
    t.boolean({
      description:
        'Whether the document has a subfolder that the caller can read and that is neither hidden nor trashed.',
      resolve: ({ id }, _, { load }) => load.contentChecks('hasFolderishChild', id),
    }),
  select: () => true,
};
