import { call, input, queryArguments } from '../../selection/selection.ts';
import { del, get, pagingArguments, post, put, type Route } from '../route.ts';
import { pageProviderArguments } from './page-provider-routes.ts';
import { savedSearchBody } from './saved-bodies.ts';

const byId = { id: input('address.id') };
const search = { search: input('body') };
const listArguments = { ...pagingArguments, ...queryArguments('pageProvider') };

/** §4.7 */
export const savedSearchRoutes: readonly Route[] = [
  get('/search/saved', (show) => ({ savedSearches: call(listArguments, show.savedSearches) }), {
    name: 'getSavedSearches',
    summary: 'Saved searches, of one page provider or of all, page by page',
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
      summary: 'The documents that a saved search finds, page by page',
      resultPath: ['savedSearch', 'documents'],
      csv: 'documents',
    },
  ),
];
