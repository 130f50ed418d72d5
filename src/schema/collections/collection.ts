import { builder, Document, Documents } from '../../graphql/builder.ts';
import { pageArguments, pageCost } from '../../graphql/page.ts';
import { readPage } from '../../loaders/lists/page.ts';
import { facetsOf } from '../../model/facets-of.ts';

const { pageSize, currentPageIndex, offset, maxResults } = pageArguments;

builder.objectField(Document, 'members', (t) =>
  t.field({
    type: Documents,
    description: 'Members of the collection in their order, without trashed ones; empty for other documents.',
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
