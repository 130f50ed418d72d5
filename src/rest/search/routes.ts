import { call, input, queryArguments } from '../../selection/selection.ts';
import { get, pagingArguments, type Route } from '../route.ts';

const searchArguments = {
  ...pagingArguments,
  ...queryArguments('query', 'queryParams', 'highlight'),
  parameters: input('parameters'),
};

/** The addresses of searches; older clients use `/search/lang/…` and `/query`. */
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

/** Routes of searches in NXQL (§4.7). */
export const searchRoutes: readonly Route[] = addresses.map(({ path, name, args }) =>
  get(path, (show) => ({ search: call(args, show.documents) }), {
    name,
    summary: 'The documents that an NXQL query finds, page by page',
    csv: 'documents',
  }),
);
