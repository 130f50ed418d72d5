import { findByQuery } from '../../pages/search.ts';
import { flag, properties, text, texts, whole } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, optionally } from '../params.ts';

/** What a query finds, page by page (§4.7). */
export const repositoryQuery = operation({
  id: 'Repository.Query',
  aliases: ['Document.Query'],
  label: 'Query',
  category: 'Fetch',
  description: 'Answers a page of the documents that a query in NXQL finds.',
  kind: 'query',
  takes: ['void'],
  gives: 'page',
  params: {
    query: optional(text, 'NXQL; all documents when absent.'),
    language: optionally(text, 'NXQL', 'NXQL alone.'),
    pageSize: optionally(whole, 0, 'The most entries: up to 1000; 0 asks for as many.'),
    currentPageIndex: optionally(whole, 0, 'Which page, from 0.', { aliases: ['page'] }),
    maxResults: optional(whole, 'Entries beyond this are not there.'),
    sortBy: optional(texts, 'Properties, which stand instead of ORDER BY.'),
    sortOrder: optional(texts, 'asc or desc, by position; desc when missing.'),
    queryParams: optional(texts, 'The values for each ? of the query.'),
    namedParameters: optional(properties, 'The values for each :name of the query.'),
    quotePatternParameters: optionally(flag, true, 'Values always are values: it makes no difference.'),
    escapePatternParameters: optionally(flag, true, 'Values always are values: it makes no difference.'),
  },
  run: async (context, _, { query, language, queryParams, namedParameters, ...given }) =>
    findByQuery(context, { query, language, positional: queryParams, named: namedParameters }, given),
});
