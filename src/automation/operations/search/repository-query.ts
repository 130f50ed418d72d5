import { findByQuery } from '../../../loaders/search/search-pages.ts';
import { operation } from '../../operation.ts';
import { fewTexts, flag, integer, propertyMap, resultLimit, text, texts } from '../../params/kinds.ts';
import { cursorParam } from '../../params/shared-params.ts';

export const repositoryQuery = operation({
  id: 'Repository.Query',
  aliases: ['Document.Query'],
  label: 'Query',
  category: 'Fetch',
  description: 'Returns a page of the documents that match an NXQL query.',
  example: { params: { query: "SELECT * FROM Document WHERE ecm:primaryType = 'File'", pageSize: 2 } },
  gives: 'page',
  params: {
    query: text.optional('An NXQL query; defaults to all documents.'),
    language: text.withDefault('NXQL', 'The query language; only NXQL is supported.'),
    pageSize: integer.withDefault(0, 'The maximum number of entries: up to 1000; 0 and -1 mean 1000.'),
    currentPageIndex: integer.withDefault(0, 'The index of the page, from 0.', { aliases: ['page'] }),
    maxResults: resultLimit.optional('The maximum number of entries on all pages, or PAGE_SIZE.'),
    cursor: cursorParam,
    sortBy: fewTexts.optional('The properties by which to sort; they override ORDER BY.'),
    sortOrder: fewTexts.optional('asc or desc for each property in sortBy; defaults to desc.'),
    queryParams: texts.optional('The value of each ? in the query.'),
    namedParameters: propertyMap.optional('The value of each :name in the query.'),
    quotePatternParameters: flag.withDefault(true, 'Ignored: values are never parsed as NXQL.'),
    escapePatternParameters: flag.withDefault(true, 'Ignored: values are never parsed as NXQL.'),
  },
  run: async (context, _, { query, language, queryParams, namedParameters, ...given }) =>
    findByQuery(context, { query, language, positional: queryParams, named: namedParameters }, given),
});
