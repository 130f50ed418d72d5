import { findProviderPage, pageProviderByName } from '../../../loaders/search/page-providers.ts';
import { operation } from '../../operation.ts';
import { fewTexts, integer, propertyMap, resultLimit, text, texts } from '../../params/kinds.ts';
import { cursorParam } from '../../params/shared-params.ts';

export const repositoryPageProvider = operation({
  id: 'Repository.PageProvider',
  aliases: ['Document.PageProvider'],
  label: 'PageProvider',
  category: 'Fetch',
  description: 'Returns a page of the documents that a page provider finds, with the aggregates.',
  example: { params: { providerName: 'default_search', namedParameters: { ecm_fulltext: 'report' } } },
  gives: 'page',
  params: {
    providerName: text.required('The name of the page provider.'),
    queryParams: texts.optional('Values of the positional parameters.', { aliases: ['searchTerm'] }),
    namedParameters: propertyMap.optional('Values of the named parameters: strings, or lists of strings.', {
      aliases: ['namedQueryParams', 'namedQueryParameters'],
    }),
    currentPageIndex: integer.withDefault(0, 'The index of the page, from 0.', { aliases: ['page'] }),
    pageSize: integer.optional("The maximum number of entries; defaults to the page provider's."),
    offset: integer.optional('The number of skipped entries; overrides currentPageIndex.'),
    maxResults: resultLimit.optional('The maximum number of entries on all pages, or PAGE_SIZE.'),
    cursor: cursorParam,
    sortBy: fewTexts.optional("The properties by which to sort; defaults to the page provider's."),
    sortOrder: fewTexts.optional('asc or desc for each property in sortBy; defaults to desc.'),
    quickFilters: fewTexts.optional('Names of the active quick filters.'),
    highlights: fewTexts.optional('Fields in which the enricher highlight marks the words of the search.'),
    documentLinkBuilder: text.optional('Ignored.'),
  },
  run: async (context, _, { providerName, namedParameters, highlights, ...given }) =>
    findProviderPage(context, pageProviderByName(context, providerName), {
      ...given,
      ...(namedParameters && { parameters: namedParameters }),
      ...(highlights && { highlight: highlights }),
    }),
});
