import { provide, providerOf } from '../../pages/page-providers.ts';
import { properties, text, texts, whole } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally, required } from '../params.ts';

/** What a page provider lists. */
export const repositoryPageProvider = operation({
  id: 'Repository.PageProvider',
  aliases: ['Document.PageProvider'],
  label: 'PageProvider',
  category: 'Fetch',
  description: 'Answers a page of the documents that a page provider finds, with its aggregates.',
  kind: 'query',
  takes: ['void'],
  gives: 'page',
  params: {
    providerName: required(text, 'The name of the page provider.'),
    queryParams: optional(texts, 'The positional parameters.', { aliases: ['searchTerm'] }),
    namedParameters: optional(properties, 'The named parameters: texts, or lists of them.', {
      aliases: ['namedQueryParams', 'namedQueryParameters'],
    }),
    currentPageIndex: optionally(whole, 0, 'Which page, from 0.', { aliases: ['page'] }),
    pageSize: optional(whole, 'The most entries; those of the page provider when absent.'),
    offset: optional(whole, 'Entries before the first; stands instead of currentPageIndex.'),
    maxResults: optional(whole, 'Entries beyond this are not there.'),
    sortBy: optional(texts, 'Properties; the order of the page provider when absent.'),
    sortOrder: optional(texts, 'asc or desc, by position; desc when missing.'),
    quickFilters: optional(texts, 'Names of those that are switched on.'),
    highlights: optional(
      texts,
      'Fields in which the enricher highlight shows the words that are looked for.',
    ),
    documentLinkBuilder: optional(text, 'Is for other servers.'),
  },
  run: async (context, _, { providerName, namedParameters, highlights, ...given }) =>
    provide(context, providerOf(context, providerName), {
      ...given,
      ...(namedParameters && { parameters: namedParameters }),
      ...(highlights && { highlight: highlights }),
    }),
});
