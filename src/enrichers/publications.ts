import { builder } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { Field } from '../selection/selection.ts';
import type { Enricher } from './enricher.ts';

const Publications = builder.objectRef<number>('Publications').implement({
  description: 'The publications of a document.',
  fields: (t) => ({
    count: t.int({
      description: 'The number of proxies of the document and its versions that the caller can read.',
      resolve: (count) => count,
    }),
  }),
});

export const publicationsEnricher: Enricher<DocumentRow> = {
  name: 'publications',
  field: (t) => t.field({ type: Publications, resolve: ({ id }, _, { load }) => load.publicationCount(id) }),
  // The contract names this field `resultCount`; the reference implementation names it `resultsCount`.
  select: () => ({
    resultCount: new Field({ name: 'count' }),
    resultsCount: new Field({ name: 'count' }),
  }),
};
