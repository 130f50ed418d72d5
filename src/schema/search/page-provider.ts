import { asObject } from '../../graphql/as-object.ts';
import { builder, Document, Documents } from '../../graphql/builder.ts';
import { pageArguments, pageCost } from '../../graphql/page.ts';
import { maxPageSize } from '../../loaders/lists/page.ts';
import {
  defaultPageSize,
  findProviderPage,
  pageProviderByName,
} from '../../loaders/search/page-providers.ts';
import type { PageProvider as Definition } from '../../model/model.ts';

const { pageSize: _, ...pageArgumentsOfProvider } = pageArguments;

export const providerArguments = {
  ...pageArgumentsOfProvider,
  ...builder.args((t) => ({
    pageSize: t.int({ description: "The page provider's when absent; at most 1000." }),
    parameters: t.field({ type: 'JSON', description: 'Named parameters: texts or lists of texts.' }),
    queryParams: t.stringList({ description: 'Positional parameters.' }),
    quickFilters: t.stringList({ description: 'Names of the quick filters that are switched on.' }),
    highlight: t.stringList({ description: 'Fields for the enricher highlight.' }),
  })),
};

const PageProvider = builder.objectRef<Definition>('PageProvider').implement({
  description: 'A named search (§4.7).',
  fields: (t) => ({
    name: t.exposeString('name'),
    query: t.exposeString('query', { description: 'The fixed part of the query, in NXQL.' }),
    predicates: t.field({ type: 'JSON', resolve: ({ predicates = [] }) => predicates }),
    aggregates: t.field({ type: 'JSON', resolve: ({ aggregates = [] }) => aggregates }),
    quickFilters: t.field({ type: 'JSON', resolve: ({ quickFilters = [] }) => quickFilters }),
    sort: t.field({ type: 'JSON', resolve: ({ sort = [] }) => sort }),
    isSortable: t.boolean({ resolve: ({ isSortable = true }) => isSortable }),
    pageSize: t.int({ resolve: ({ pageSize = defaultPageSize }) => pageSize }),
    maxPageSize: t.int({ resolve: ({ maxPageSize: most = maxPageSize }) => most }),
    documents: t.field({
      type: Documents,
      description: 'The readable documents that it finds.',
      args: providerArguments,
      complexity: pageCost,
      resolve: (provider, { parameters, ...given }, context) =>
        findProviderPage(context, provider, { ...given, parameters: asObject(parameters, 'parameters') }),
    }),
  }),
});

builder.queryField('pageProvider', (t) =>
  t.field({
    type: PageProvider,
    description: 'A page provider by its name.',
    args: { name: t.arg.string({ required: true }) },
    resolve: (_root, { name }, context) => pageProviderByName(context, name),
  }),
);

builder.objectField(Document, 'provided', (t) =>
  t.field({
    type: Documents,
    description: 'The result of a page provider whose first positional parameter is the id of this document.',
    args: { provider: t.arg.string({ required: true }), ...providerArguments },
    complexity: pageCost,
    resolve: ({ id }, { provider, parameters, ...given }, context) =>
      findProviderPage(
        context,
        pageProviderByName(context, provider),
        { ...given, parameters: asObject(parameters, 'parameters') },
        id,
      ),
  }),
);
