import { call, input, queryArguments } from '../../selection/selection.ts';
import { get, pagingArguments, type Route } from '../route.ts';

const asked = {
  ...pagingArguments,
  ...queryArguments('query', 'queryParams', 'highlight'),
  parameters: input('parameters'),
};

/** The addresses of searches; older clients use `/search/lang/…` and `/query`. */
const addresses = [
  { path: '/search/execute', name: 'search', given: asked },
  {
    path: '/search/lang/:language/execute',
    name: 'searchIn',
    given: { ...asked, language: input('address.language') },
  },
  { path: '/query', name: 'query', given: asked },
  { path: '/query/NXQL', name: 'queryNxql', given: asked },
];

/** Routes of searches in NXQL (§4.7). */
export const searchRoutes: readonly Route[] = addresses.map(({ path, name, given }) =>
  get(path, (show) => ({ search: call(given, show.documents) }), {
    name,
    summary: 'The documents that a query in NXQL finds, page by page',
    csv: 'documents',
  }),
);
