import { call, input, queryArguments } from '../../selection/selection.ts';
import { get, pagingArguments, type Route } from '../route.ts';

const searchArguments = {
  ...pagingArguments,
  ...queryArguments('query', 'queryParams', 'highlight'),
  parameters: input('parameters'),
};

/** The paths of searches. Older clients use `/search/lang/…` and `/query`. */
const addresses = [
  { path: '/search/execute', name: 'search', args: searchArguments },
  {
    path: '/search/lang/:language/execute',
    name: 'searchIn',
    args: { ...searchArguments, language: input('address.language') },
  },
  { path: '/query', name: 'query', args: searchArguments },
  { path: '/query/NXQL', name: 'queryNxql', args: searchArguments },
];

/** The routes for searches in NXQL (§4.7). */
export const searchRoutes: readonly Route[] = addresses.map(({ path, name, args }) =>
  get(path, (show) => ({ search: call(args, show.documents) }), {
    name,
    summary: 'List the documents that match an NXQL query',
    csv: 'documents',
  }),
);
