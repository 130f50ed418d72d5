import type { DocumentRow } from '../loaders/document-row.ts';
import { documentUrl } from '../schema/links.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: where clients find the document, by its id. */
export const documentURL: Enricher<DocumentRow> = {
  name: 'documentURL',
  field: (t) => t.string({ resolve: (row, _, context) => documentUrl(context, row) }),
  select: () => true,
};
