import { findRecords } from '../../../loaders/search/records.ts';
import { readQuery } from '../../../query/read-query.ts';
import { operation } from '../../operation.ts';
import { fewTexts, flag, integer, propertyMap, resultLimit, text, texts } from '../../params/kinds.ts';

export const repositoryResultSetQuery = operation({
  id: 'Repository.ResultSetQuery',
  aliases: ['Resultset.PaginatedQuery'],
  label: 'ResultSet Query',
  category: 'Fetch',
  description: 'Returns a page of records from an NXQL query that selects columns or functions.',
  example: {
    params: { query: "select dc:title, ecm:uuid from Document where ecm:primaryType = 'File'", pageSize: 2 },
  },
  gives: 'recordSet',
  params: {
    query: text.required('An NXQL query that selects columns or functions.'),
    language: text.withDefault('NXQL', 'The query language; only NXQL is supported.'),
    pageSize: integer.withDefault(0, 'The maximum number of records: up to 1000; 0 and -1 mean 1000.'),
    currentPageIndex: integer.withDefault(0, 'The index of the page, from 0.', { aliases: ['page'] }),
    maxResults: resultLimit.optional('The maximum number of records on all pages, or PAGE_SIZE.'),
    cursor: text.optional('Not accepted, because records can only be paged by number.'),
    sortBy: fewTexts.optional('The properties by which to sort; they override ORDER BY.'),
    sortOrder: fewTexts.optional('asc or desc for each property in sortBy; defaults to desc.'),
    queryParams: texts.optional('The value of each ? in the query.'),
    namedParameters: propertyMap.optional('The value of each :name in the query.'),
    quotePatternParameters: flag.withDefault(true, 'Ignored: values are never parsed as NXQL.'),
    escapePatternParameters: flag.withDefault(true, 'Ignored: values are never parsed as NXQL.'),
  },
  run: async (context, _, { query, language, queryParams, namedParameters, ...given }) => {
    const wanted = { query, language, positional: queryParams, named: namedParameters };
    return findRecords(context, await readQuery(context, wanted), given);
  },
});
