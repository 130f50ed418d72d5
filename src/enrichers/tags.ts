import type { DocumentRow } from '../loaders/document-row.ts';
import { labelsOf } from '../model/tags.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: the labels of the document's tags, in order. */
export const tags: Enricher<DocumentRow> = {
  name: 'tags',
  field: (t) => t.stringList({ resolve: ({ properties }) => labelsOf(properties) }),
  select: () => true,
};
