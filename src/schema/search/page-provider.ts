import type { InputShapeFromFields } from '@pothos/core';
import { asObject } from '../../graphql/as-object.ts';
import { builder, Document, Documents } from '../../graphql/builder.ts';
import { pageArguments, pageCost } from '../../graphql/page.ts';
import type { Context } from '../../loaders/context.ts';
import { defaultPageSize, maxPageSize, type PageShape } from '../../loaders/lists/page.ts';
import { isOtherProvider, type ProvidedRequest } from '../../loaders/search/other-providers.ts';
import {
  anyPageProvider,
  findProviderPage,
  pageProviderByName,
  pageProvidersOf,
} from '../../loaders/search/page-providers.ts';
import type { PageProvider as Definition } from '../../model/model.ts';
import type { FoundKind, OtherProvider } from '../../model/search/other-providers.ts';
import { shownProperties } from '../documents/shown-properties.ts';

const { pageSize: _, ...pageArgumentsOfProvider } = pageArguments;

export const providerArguments = {
  ...pageArgumentsOfProvider,
  ...builder.args((t) => ({
    pageSize: t.int({
      description: "The maximum number of entries, up to 1000; defaults to the page provider's.",
    }),
    parameters: t.field({ type: 'JSON', description: 'The named parameters: strings, or lists of strings.' }),
    queryParams: t.stringList({ description: 'Positional parameters.' }),
    quickFilters: t.stringList({ description: 'The names of the active quick filters.' }),
    highlight: t.stringList({ description: 'The fields for the enricher highlight.' }),
  })),
};

/** The arguments of page providers that return entities other than documents. */
export const otherProviderArguments = {
  ...pageArgumentsOfProvider,
  pageSize: providerArguments.pageSize,
  parameters: providerArguments.parameters,
  queryParams: providerArguments.queryParams,
};

interface AddressedProvider {
  readonly provider: Definition;
  /** The id of the document that is the first positional parameter. */
  readonly document?: string;
}

type Given = InputShapeFromFields<typeof otherProviderArguments>;
type Find<Row> = (
  context: Context,
  provider: OtherProvider,
  given: ProvidedRequest,
) => Promise<PageShape<Row>>;

/**
 * Creates a resolver for page providers that return the given kind of entity. It returns null for all other page
 * providers.
 */
export const resultsOf =
  <Row>(kind: FoundKind, find: Find<Row>) =>
  async (
    { provider, document }: AddressedProvider,
    { parameters, pageSize, ...given }: Given,
    context: Context,
  ): Promise<PageShape<Row> | null> =>
    isOtherProvider(provider) && provider.finds === kind
      ? find(context, provider, {
          ...given,
          pageSize: pageSize ?? provider.pageSize ?? defaultPageSize,
          parameters: asObject(parameters, 'parameters'),
          document,
        })
      : null;

export const PageProviderType = builder.objectRef<AddressedProvider>('PageProvider');
PageProviderType.implement({
  description: 'A named search (§4.7).',
  fields: (t) => ({
    name: t.string({ resolve: ({ provider }) => provider.name }),
    query: t.string({
      description: 'The fixed part of the NXQL query; empty if the page provider does not return documents.',
      resolve: ({ provider }) => provider.query,
    }),
    predicates: t.field({ type: 'JSON', resolve: ({ provider: { predicates = [] } }) => predicates }),
    aggregates: t.field({ type: 'JSON', resolve: ({ provider: { aggregates = [] } }) => aggregates }),
    quickFilters: t.field({ type: 'JSON', resolve: ({ provider: { quickFilters = [] } }) => quickFilters }),
    sort: t.field({ type: 'JSON', resolve: ({ provider: { sort = [] } }) => sort }),
    isSortable: t.boolean({ resolve: ({ provider: { isSortable = true } }) => isSortable }),
    pageSize: t.int({ resolve: ({ provider: { pageSize = defaultPageSize } }) => pageSize }),
    maxPageSize: t.int({ resolve: ({ provider: { maxPageSize: ownLimit = maxPageSize } }) => ownLimit }),
    documents: t.field({
      type: Documents,
      nullable: true,
      description:
        'The documents that the page provider finds and the caller can read; null if it returns something else.',
      args: providerArguments,
      complexity: pageCost,
      resolve: async ({ provider, document }, { parameters, ...given }, context, info) => {
        if (isOtherProvider(provider)) return null;
        const shown = shownProperties(context, info);
        const request = { ...given, ...shown, parameters: asObject(parameters, 'parameters') };
        return findProviderPage(context, provider, request, document);
      },
    }),
  }),
});

const PageProviders = builder.objectRef<readonly AddressedProvider[]>('PageProviders');
PageProviders.implement({
  description: 'All page providers, sorted by name.',
  fields: (t) => ({ entries: t.field({ type: [PageProviderType], resolve: (providers) => providers }) }),
});

builder.queryField('pageProviders', (t) =>
  t.field({
    type: PageProviders,
    description: 'All page providers, by name.',
    resolve: (_root, _args, { services: { model } }) =>
      pageProvidersOf(model).map((provider) => ({ provider })),
  }),
);

builder.queryField('pageProvider', (t) =>
  t.field({
    type: PageProviderType,
    nullable: true,
    description: 'A page provider by its name.',
    args: { name: t.arg.string({ required: true }) },
    resolve: (_root, { name }, context) => ({ provider: anyPageProvider(context, name) }),
  }),
);

builder.objectField(Document, 'pageProvider', (t) =>
  t.field({
    type: PageProviderType,
    nullable: true,
    description: 'A page provider whose first positional parameter is the id of this document.',
    args: { name: t.arg.string({ required: true }) },
    resolve: ({ id }, { name }, context) => ({ provider: anyPageProvider(context, name), document: id }),
  }),
);

builder.objectField(Document, 'provided', (t) =>
  t.field({
    type: Documents,
    nullable: true,
    description: 'The result of a page provider whose first positional parameter is the id of this document.',
    args: { provider: t.arg.string({ required: true }), ...providerArguments },
    complexity: pageCost,
    resolve: ({ id }, { provider, parameters, ...given }, context, info) =>
      findProviderPage(
        context,
        pageProviderByName(context, provider),
        { ...given, ...shownProperties(context, info), parameters: asObject(parameters, 'parameters') },
        id,
      ),
  }),
);
