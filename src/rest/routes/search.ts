import { call, input, queried } from '../../selection.ts';
import { get, page, type Route } from '../route.ts';

/** What is looked for, and which page of it. */
const asked = { ...page, ...queried('query', 'queryParams', 'highlight'), parameters: input('parameters') };

/** The addresses at which queries are run; older clients know the latter. */
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

/** §4.7 Search. */
export const search: readonly Route[] = addresses.map(({ path, name, given }) =>
  get(path, (show) => ({ search: call(given, show.documents) }), {
    name,
    summary: 'The documents that a query in NXQL finds, page by page',
  }),
);
