import { builder, Document, Documents } from '../../graphql/builder.ts';
import { fixedOrderPageArguments, pageArguments, pageCost } from '../../graphql/page.ts';
import { readPage } from '../../loaders/lists/page.ts';
import { shownPage } from '../../loaders/lists/page-loader.ts';
import { facetsOf } from '../../model/facets-of.ts';

const { maxResults } = pageArguments;

builder.objectField(Document, 'members', (t) =>
  t.field({
    type: Documents,
    description:
      'The members of the collection in order, except those in the trash; empty for other documents.',
    args: { ...fixedOrderPageArguments, maxResults },
    complexity: pageCost,
    resolve: async (row, args, { load, services: { model } }) => {
      const page = { ...readPage(args), isSortable: false };
      if (!facetsOf(model, row).includes('Collection')) return { ...page, total: 0, entries: [] };
      return shownPage(page, await load.members(row.id, page));
    },
  }),
);
