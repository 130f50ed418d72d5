import { facetsOf } from '../model/facets-of.ts';
import { readPage } from '../pages/page.ts';
import { builder, Document, Documents } from './builder.ts';
import { pageArguments, pageCost } from './page.ts';

const { pageSize, currentPageIndex, offset, maxResults } = pageArguments;

builder.objectField(Document, 'members', (t) =>
  t.field({
    type: Documents,
    description:
      'What is in the collection, in its own order, without what is trashed; nothing where there is none.',
    args: { pageSize, currentPageIndex, offset, maxResults },
    complexity: pageCost,
    resolve: async (row, args, { load, model }) => {
      const page = { ...readPage(args), isSortable: false };
      if (!facetsOf(model, row).includes('Collection')) return { ...page, total: 0, entries: [] };
      const { rows, total } = await load.members(row.id, page);
      return { ...page, total, entries: rows };
    },
  }),
);
