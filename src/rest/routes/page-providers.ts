import { type Arguments, call, input, queried } from '../../selection.ts';
import { get, page, type Route } from '../route.ts';

const name = input('address.name');

/** What a request gives a page provider: every parameter of the query may be one of its own. */
export const given: Arguments = {
  ...page,
  ...queried('queryParams', 'quickFilters', 'highlight'),
  parameters: input('parameters'),
};

/** The addresses at which a page provider lists documents. */
const lists = [
  { path: '/search/lang/pp/:name', as: 'searchByPageProvider' },
  { path: '/search/pp/:name/execute', as: 'executePageProvider' },
  { path: '/query/:name', as: 'queryPageProvider' },
];

/** §4.7 Search by page providers. */
export const pageProviders: readonly Route[] = [
  ...lists.map(
    ({ path, as }): Route =>
      get(path, ({ found }) => ({ pageProvider: call({ name }, { documents: call(given, found) }) }), {
        name: as,
        summary: 'The documents that a page provider finds, page by page',
        show: ['pageProvider', 'documents'],
      }),
  ),
  get('/search/pp/:name', ({ pageProvider }) => ({ pageProvider: call({ name }, pageProvider) }), {
    name: 'getPageProvider',
    summary: 'What a page provider looks for, and what it can be given',
  }),
];
