import { z } from 'zod';
import { resultLimits } from '../../model/search/result-limits.ts';
import { parseQueryParams } from '../../model/search/saved-search.ts';
import { anyObject } from '../../model/values/any-object.ts';
import { textList } from '../../model/values/json-shapes.ts';
import { call, input, queryArguments } from '../../selection/selection.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';
import { del, get, pagingArguments, post, put, type Route } from '../route.ts';
import { pageProviderArguments } from './page-provider-routes.ts';

const maxInt = 2 ** 31 - 1;

/**
 * Reads an integer that is sent as a number or a string. Strings are accepted because the server itself sends a
 * string.
 */
const integerFrom = (least: number) => {
  const fault = `must be an integer of at least ${least}`;
  const fits = (value: number | null) =>
    value === null || (Number.isInteger(value) && value >= least && value <= maxInt);
  const fromText = z
    .string()
    .transform((text) => (text === '' ? null : (resultLimits[text] ?? Number(text))));
  return z.union([z.number(), fromText], fault).refine(fits, fault).nullish();
};

const texts = z
  .union([textList('', ''), z.string().transform(parseQueryParams)], 'must be a string or a list of strings')
  .nullish();

/** The request body for a saved search (§4.7). */
const savedSearchBody = bodyReader(
  objectShape('SavedSearchBody', {
    'entity-type': entityTypeShape('savedSearch'),
    id: optionalText,
    title: optionalText,
    queryParams: texts,
    query: optionalText,
    queryLanguage: optionalText,
    pageProviderName: optionalText,
    pageSize: integerFrom(-1),
    currentPageIndex: integerFrom(0),
    maxResults: integerFrom(-2),
    sortBy: optionalText,
    sortOrder: optionalText,
    contentViewData: optionalText,
    params: anyObject('must be an object').nullish(),
  }),
  ({ 'entity-type': _, id: __, ...search }) => search,
);

const byId = { id: input('address.id') };
const search = { search: input('body') };
const listArguments = { ...pagingArguments, ...queryArguments('pageProvider') };

/** The routes for saved searches (§4.7). */
export const savedSearchRoutes: readonly Route[] = [
  get('/search/saved', (show) => ({ savedSearches: call(listArguments, show.savedSearches) }), {
    name: 'getSavedSearches',
    summary: 'List saved searches, optionally for one page provider only',
  }),
  post(
    '/search/saved',
    savedSearchBody,
    ({ savedSearch }) => ({ createSavedSearch: call(search, savedSearch) }),
    { name: 'createSavedSearch', summary: 'Save a search' },
  ),
  get('/search/saved/:id', ({ savedSearch }) => ({ savedSearch: call(byId, savedSearch) }), {
    name: 'getSavedSearch',
    summary: 'A saved search',
  }),
  put(
    '/search/saved/:id',
    savedSearchBody,
    ({ savedSearch }) => ({ updateSavedSearch: call({ ...byId, ...search }, savedSearch) }),
    { name: 'updateSavedSearch', summary: 'Replace a saved search' },
  ),
  del('/search/saved/:id', () => ({ deleteSavedSearch: call(byId) }), {
    name: 'deleteSavedSearch',
    summary: 'Delete a saved search',
  }),
  get(
    '/search/saved/:id/execute',
    ({ found }) => ({ savedSearch: call(byId, { documents: call(pageProviderArguments, found) }) }),
    {
      name: 'executeSavedSearch',
      summary: 'List the documents that a saved search finds',
      resultPath: ['savedSearch', 'documents'],
      csv: 'documents',
    },
  ),
];
