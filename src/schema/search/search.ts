import { asObject } from '../../graphql/as-object.ts';
import { builder, Document, Documents } from '../../graphql/builder.ts';
import { pageArguments, pageCost } from '../../graphql/page.ts';
import { findByQuery, searchAtDocument } from '../../loaders/search/search-pages.ts';
import { shownProperties } from '../documents/shown-properties.ts';

const searchArguments = {
  ...builder.args((t) => ({
    queryParams: t.stringList({ description: 'The value of each ? in the query.' }),
    parameters: t.field({ type: 'JSON', description: 'The value of each :name in the query.' }),
    highlight: t.stringList({ description: 'The fields for the enricher highlight.' }),
  })),
};

const { pageSize: _, ...others } = pageArguments;

builder.queryField('search', (t) =>
  t.field({
    type: Documents,
    description: 'The documents that match a query and that the caller can read.',
    args: {
      query: t.arg.string({ description: 'An NXQL query; defaults to all documents.' }),
      language: t.arg.string({ description: 'Only NXQL.' }),
      ...searchArguments,
      pageSize: t.arg.int({ defaultValue: 0, description: 'At most 1000; 0 and -1 mean 1000.' }),
      ...others,
    },
    complexity: pageCost,
    resolve: (_root, { query, language, queryParams, parameters, ...given }, context, info) => {
      const named = asObject(parameters, 'parameters');
      const request = { ...given, ...shownProperties(context, info) };
      return findByQuery(context, { query, language, positional: queryParams, named }, request);
    },
  }),
);

builder.objectField(Document, 'search', (t) =>
  t.field({
    type: Documents,
    description:
      'The result of a query over the whole repository, or of a search for words below this document.',
    args: {
      query: t.arg.string({ description: 'NXQL.' }),
      fullText: t.arg.string({ description: 'Words to search for below the document or its folder.' }),
      orderBy: t.arg.stringList({
        description:
          'For a search for words: the properties by which to sort, each optionally followed by asc or desc.',
      }),
      ...searchArguments,
      ...pageArguments,
    },
    complexity: pageCost,
    resolve: (row, { query, fullText, orderBy, queryParams, parameters, ...given }, context, info) => {
      const named = asObject(parameters, 'parameters');
      return searchAtDocument(
        context,
        row,
        { query, fullText, orderBy, positional: queryParams, named },
        { ...given, ...shownProperties(context, info) },
      );
    },
  }),
);
