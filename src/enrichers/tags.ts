import type { DocumentRow } from '../loaders/documents/document-row.ts';
import { labelsOf } from '../model/tags.ts';
import type { Enricher } from './enricher.ts';

export const tagsEnricher: Enricher<DocumentRow> = {
  name: 'tags',
  field: (t) =>
    t.stringList({
      description: 'The labels of the tags in alphabetical order.',
      resolve: ({ properties }) => labelsOf(properties),
    }),
  select: () => true,
};
