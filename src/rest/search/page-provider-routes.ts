import {
  type Arguments,
  call,
  type Field,
  firstNonNull,
  input,
  queryArguments,
} from '../../selection/selection.ts';
import type { Entities } from '../entities.ts';
import { get, pagingArguments, type Route } from '../route.ts';

const name = input('address.name');

/**
 * The arguments for the results of a page provider. Any query parameter can be a named parameter of the page
 * provider.
 */
export const pageProviderArguments: Arguments = {
  ...pagingArguments,
  ...queryArguments('queryParams', 'quickFilters', 'highlight'),
  parameters: input('parameters'),
};

const othersArguments: Arguments = {
  ...pagingArguments,
  ...queryArguments('queryParams'),
  parameters: input('parameters'),
};

/** The results of a page provider: documents, or entities of the other kinds that it can return. */
export const foundByProvider = (show: Entities): Field =>
  firstNonNull(
    call(
      { name },
      {
        documents: call(pageProviderArguments, show.found),
        logEntries: call(othersArguments, show.logEntries),
        tasks: call(othersArguments, show.tasks),
        users: call(othersArguments, show.users),
        groups: call(othersArguments, show.groups),
        usersOrGroups: call(othersArguments, show.usersOrGroups),
        directoryEntries: call(othersArguments, show.directoryEntries),
      },
    ),
  );

const lists = [
  { path: '/search/lang/pp/:name', as: 'searchByPageProvider' },
  { path: '/search/pp/:name/execute', as: 'executePageProvider' },
  { path: '/query/:name', as: 'queryPageProvider' },
];

const listings = [
  { path: '/search/lang/pp', as: 'getPageProviders' },
  { path: '/search/pp', as: 'listPageProviders' },
];

/** The routes for page providers (§4.7). */
export const pageProviderRoutes: readonly Route[] = [
  ...listings.map(
    ({ path, as }): Route =>
      get(path, ({ pageProviders }) => ({ pageProviders }), { name: as, summary: 'All page providers' }),
  ),
  ...lists.map(
    ({ path, as }): Route =>
      get(path, (show) => ({ pageProvider: foundByProvider(show) }), {
        name: as,
        summary: 'List the results of a page provider',
        csv: 'documents',
      }),
  ),
  get('/search/pp/:name', ({ pageProvider }) => ({ pageProvider: call({ name }, pageProvider) }), {
    name: 'getPageProvider',
    summary: 'The definition of a page provider, with its parameters',
  }),
];
