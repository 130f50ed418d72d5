import { type Arguments, call, input, queryArguments } from '../../selection/selection.ts';
import { get, pagingArguments, type Route } from '../route.ts';

const name = input('address.name');

/** Every query parameter may be a named parameter of the page provider. */
export const pageProviderArguments: Arguments = {
  ...pagingArguments,
  ...queryArguments('queryParams', 'quickFilters', 'highlight'),
  parameters: input('parameters'),
};

const lists = [
  { path: '/search/lang/pp/:name', as: 'searchByPageProvider' },
  { path: '/search/pp/:name/execute', as: 'executePageProvider' },
  { path: '/query/:name', as: 'queryPageProvider' },
];

/** §4.7 */
export const pageProviderRoutes: readonly Route[] = [
  ...lists.map(
    ({ path, as }): Route =>
      get(
        path,
        ({ found }) => ({ pageProvider: call({ name }, { documents: call(pageProviderArguments, found) }) }),
        {
          name: as,
          summary: 'The documents that a page provider finds, page by page',
          resultPath: ['pageProvider', 'documents'],
        },
      ),
  ),
  get('/search/pp/:name', ({ pageProvider }) => ({ pageProvider: call({ name }, pageProvider) }), {
    name: 'getPageProvider',
    summary: 'What a page provider looks for, and what it can be given',
  }),
];
