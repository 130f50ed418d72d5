import { queryOfProvider } from '../../../loaders/search/provider-query.ts';
import { findRecords } from '../../../loaders/search/records.ts';
import { operation } from '../../operation.ts';
import { fewTexts, integer, propertyMap, resultLimit, text, texts } from '../../params/kinds.ts';

export const repositoryResultSetPageProvider = operation({
  id: 'Repository.ResultSetPageProvider',
  aliases: ['Resultset.PageProvider'],
  label: 'QueryAndFetch',
  category: 'Fetch',
  description: 'Returns a page of records from a page provider whose query selects columns or functions.',
  example: { params: { providerName: 'default_search', pageSize: 2 } },
  gives: 'recordSet',
  params: {
    providerName: text.required('The name of the page provider.'),
    queryParams: texts.withDefault([], 'Values of the positional parameters.', { aliases: ['searchTerm'] }),
    namedParameters: propertyMap.withDefault(
      {},
      'Values of the named parameters: strings, or lists of strings.',
      {
        aliases: ['namedQueryParams', 'namedQueryParameters'],
      },
    ),
    currentPageIndex: integer.withDefault(0, 'The index of the page, from 0.', { aliases: ['page'] }),
    pageSize: integer.withDefault(0, 'The maximum number of records: up to 1000; 0 and -1 mean 1000.'),
    maxResults: resultLimit.optional('The maximum number of records on all pages, or PAGE_SIZE.'),
    cursor: text.optional('Not accepted, because records can only be paged by number.'),
    sortBy: fewTexts.optional(
      'The properties by which to sort; they override the order of the page provider.',
    ),
    sortOrder: fewTexts.optional('asc or desc for each property in sortBy; defaults to desc.'),
    quickFilters: fewTexts.withDefault([], 'Names of the active quick filters.'),
  },
  run: async (context, _, { providerName, queryParams, namedParameters, quickFilters, ...given }) => {
    const filter = { named: namedParameters, positional: queryParams, quickFilters };
    return findRecords(context, await queryOfProvider(context, providerName, filter), given);
  },
});
