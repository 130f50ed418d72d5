import { builder } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { type Highlight, highlightsOf } from '../loaders/search/highlights.ts';
import { Field, omitIfNull } from '../selection/selection.ts';
import type { Enricher } from './enricher.ts';

const HighlightType = builder.objectRef<Highlight>('Highlight').implement({
  description: 'The matches of a full-text search in a field.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The name of the searched field.' }),
    segments: t.exposeStringList('segments', {
      description: 'Excerpts of the text as HTML, with the matches in <em>.',
    }),
  }),
});

export const highlightEnricher: Enricher<DocumentRow> = {
  name: 'highlight',
  field: (t) =>
    t.field({
      type: [HighlightType],
      nullable: true,
      description: 'The matches of the search; null if the document is not a search result.',
      resolve: (row, _, context) => highlightsOf(row, context),
    }),
  select: () => new Field({ of: { field: true, segments: true }, format: omitIfNull.format }),
};
