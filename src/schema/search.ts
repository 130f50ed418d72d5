import { findAt, findByQuery } from '../pages/search.ts';
import { builder, Document, Documents } from './builder.ts';
import { asObject } from './input.ts';
import { pageArguments, pageCost } from './page.ts';

/** Values that a query leaves open, and where its words are shown. */
const searchArguments = builder.args((t) => ({
  queryParams: t.stringList({ description: 'The values for each ? of the query.' }),
  parameters: t.field({ type: 'JSON', description: 'The values for each :name of the query.' }),
  highlight: t.stringList({ description: 'Fields in which the words are shown that are looked for.' }),
}));

const { pageSize: _, ...others } = pageArguments;

builder.queryField('search', (t) =>
  t.field({
    type: Documents,
    description: 'The documents that a query finds and that the caller may read.',
    args: {
      query: t.arg.string({ description: 'NXQL; all documents when absent.' }),
      language: t.arg.string({ description: 'NXQL alone.' }),
      ...searchArguments,
      pageSize: t.arg.int({ defaultValue: 0, description: 'At most 1000; 0 asks for as many.' }),
      ...others,
    },
    complexity: pageCost,
    resolve: (_root, { query, language, queryParams, parameters, ...given }, context) => {
      const named = asObject(parameters, 'parameters');
      return findByQuery(context, { query, language, positional: queryParams, named }, given);
    },
  }),
);

builder.objectField(Document, 'search', (t) =>
  t.field({
    type: Documents,
    description: 'What a query finds, wherever it is; or the documents with some words below this one.',
    args: {
      query: t.arg.string({ description: 'NXQL.' }),
      fullText: t.arg.string({ description: 'Words, below the document or below the folder that it is in.' }),
      orderBy: t.arg.stringList({ description: 'Of the words: properties, with asc or desc behind them.' }),
      ...searchArguments,
      ...pageArguments,
    },
    complexity: pageCost,
    resolve: (row, { query, fullText, orderBy, queryParams, parameters, ...given }, context) => {
      const named = asObject(parameters, 'parameters');
      return findAt(context, row, { query, fullText, orderBy, positional: queryParams, named }, given);
    },
  }),
);
