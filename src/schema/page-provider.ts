import { maxPageSize } from '../loaders/children.ts';
import type { PageProvider as Definition } from '../model/model.ts';
import { provide, providerOf, usualPageSize } from '../pages/page-providers.ts';
import { builder, Document, Documents } from './builder.ts';
import { asObject } from './input.ts';
import { pageArguments, pageCost } from './page.ts';

const { pageSize: _, ...pageArgumentsOfProvider } = pageArguments;

/** What a page provider is given. */
const providerArguments = {
  ...pageArgumentsOfProvider,
  ...builder.args((t) => ({
    pageSize: t.int({ description: 'That of the page provider when absent; at most 1000.' }),
    parameters: t.field({ type: 'JSON', description: 'The named parameters: texts, or lists of them.' }),
    queryParams: t.stringList({ description: 'The positional parameters.' }),
    quickFilters: t.stringList({ description: 'Names of those that are switched on.' }),
    highlight: t.stringList({ description: 'Fields in which the words are shown that are looked for.' }),
  })),
};

const PageProvider = builder.objectRef<Definition>('PageProvider').implement({
  description: 'A search that clients call by name (§4.7).',
  fields: (t) => ({
    name: t.exposeString('name'),
    query: t.exposeString('query', { description: 'What is always looked for, in NXQL.' }),
    predicates: t.field({ type: 'JSON', resolve: ({ predicates = [] }) => predicates }),
    aggregates: t.field({ type: 'JSON', resolve: ({ aggregates = [] }) => aggregates }),
    quickFilters: t.field({ type: 'JSON', resolve: ({ quickFilters = [] }) => quickFilters }),
    sort: t.field({ type: 'JSON', resolve: ({ sort = [] }) => sort }),
    isSortable: t.boolean({ resolve: ({ isSortable = true }) => isSortable }),
    pageSize: t.int({ resolve: ({ pageSize = usualPageSize }) => pageSize }),
    maxPageSize: t.int({ resolve: ({ maxPageSize: most = maxPageSize }) => most }),
    documents: t.field({
      type: Documents,
      description: 'What it finds, as far as the caller may read it.',
      args: providerArguments,
      complexity: pageCost,
      resolve: (provider, { parameters, ...given }, context) =>
        provide(context, provider, { ...given, parameters: asObject(parameters, 'parameters') }),
    }),
  }),
});

builder.queryField('pageProvider', (t) =>
  t.field({
    type: PageProvider,
    description: 'A page provider by its name.',
    args: { name: t.arg.string({ required: true }) },
    resolve: (_root, { name }, context) => providerOf(context, name),
  }),
);

builder.objectField(Document, 'provided', (t) =>
  t.field({
    type: Documents,
    description: 'What a page provider finds whose first positional parameter is the id of this document.',
    args: { provider: t.arg.string({ required: true }), ...providerArguments },
    complexity: pageCost,
    resolve: ({ id }, { provider, parameters, ...given }, context) =>
      provide(
        context,
        providerOf(context, provider),
        { ...given, parameters: asObject(parameters, 'parameters') },
        id,
      ),
  }),
);
