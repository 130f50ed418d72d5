import type { DocumentRow } from '../loaders/document-row.ts';
import { builder } from '../schema/builder.ts';
import { Field } from '../selection.ts';
import type { Enricher } from './enricher.ts';

const Publications = builder.objectRef<number>('Publications').implement({
  description: 'How often a document is published.',
  fields: (t) => ({ count: t.int({ resolve: (count) => count }) }),
});

/** §4.9: how many proxies show the document or a version of it, under the contract's name and that of clients. */
export const publications: Enricher<DocumentRow> = {
  name: 'publications',
  field: (t) => t.field({ type: Publications, resolve: ({ id }, _, { load }) => load.publications(id) }),
  select: () => ({
    resultCount: new Field({ name: 'count' }),
    resultsCount: new Field({ name: 'count' }),
  }),
};
