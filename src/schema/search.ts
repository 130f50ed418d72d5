import { readPage } from '../pages/page.ts';
import { readDocumentQuery } from '../query/read-query.ts';
import { builder, Documents } from './builder.ts';
import { asObject } from './input.ts';
import { pageArguments, pageCost } from './page.ts';

const { pageSize: _, ...others } = pageArguments;

builder.queryField('search', (t) =>
  t.field({
    type: Documents,
    description: 'The documents that a query finds and that the caller may read.',
    args: {
      query: t.arg.string({ description: 'NXQL; all documents when absent.' }),
      language: t.arg.string({ description: 'NXQL alone.' }),
      queryParams: t.arg.stringList({ description: 'The values for each ? of the query.' }),
      parameters: t.arg({ type: 'JSON', description: 'The values for each :name of the query.' }),
      pageSize: t.arg.int({ defaultValue: 0, description: 'At most 1000; 0 asks for as many.' }),
      ...others,
    },
    complexity: pageCost,
    resolve: async (_root, { query, language, queryParams, parameters, ...given }, context) => {
      const named = asObject(parameters, 'parameters');
      const asked = await readDocumentQuery(context, { query, language, positional: queryParams, named });
      const page = readPage(given);
      const { rows, total } = await context.load.search(asked, page);
      return { ...page, total, entries: rows };
    },
  }),
);
