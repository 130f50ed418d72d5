import { maxPageSize } from '../loaders/children.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { knownFromNow } from '../loaders/documents.ts';
import { DocumentList } from '../schema/builder.ts';
import { call } from '../selection.ts';
import type { Enricher } from './enricher.ts';

/** What is asked of the first page of all children, hidden and trashed ones too. */
const page = {
  ...{ offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] },
  ...{ isUnfiltered: true, isShared: true },
};

/** §4.9: all children that the caller may read, hidden and trashed ones too. */
export const children: Enricher<DocumentRow> = {
  name: 'children',
  field: (t) =>
    t.field({
      type: DocumentList,
      description: 'Everything directly below that the caller may read, hidden and trashed documents too.',
      args: { most: t.arg.int({ defaultValue: 50, description: 'At most 1000.' }) },
      complexity: ({ most }) => ({ field: 1, multiplier: Math.max(1, Math.min(most ?? 50, maxPageSize)) }),
      resolve: async (row, { most }, { load }) => {
        const pageSize = Math.max(1, most ?? 50);
        const { rows, total } = await load.children(row, { ...page, pageSize });
        const entries = knownFromNow(load.documentById, rows);
        return { entries, ...(total > entries.length && { resultsCount: total }) };
      },
    }),
  select: ({ documents, most }) => call({ most }, documents),
};
