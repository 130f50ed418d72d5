import type { DocumentRow } from '../loaders/document-row.ts';
import { type Highlight, highlightsOf } from '../loaders/highlights.ts';
import { builder } from '../schema/builder.ts';
import { Field, whenSet } from '../selection.ts';
import type { Enricher } from './enricher.ts';

const HighlightType = builder.objectRef<Highlight>('Highlight').implement({
  description: 'Where in a field of a document the words are that a search looked for.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'As the search named it.' }),
    segments: t.stringList({
      description: 'Parts of the text as HTML, in which the words are in <em>.',
      resolve: ({ segments }) => [...segments],
    }),
  }),
});

/** §4.9: where the words are that a search looked for; only on what a search found. */
export const highlight: Enricher<DocumentRow> = {
  name: 'highlight',
  field: (t) =>
    t.field({
      type: [HighlightType],
      nullable: true,
      description: 'Where the words are that the search looked for; null for what no search found.',
      resolve: (row, _, { model }) => highlightsOf(row, model),
    }),
  select: () => new Field({ of: { field: true, segments: true }, show: whenSet.show }),
};
