import { call, input, queried } from '../../selection.ts';
import { get, page, type Route } from '../route.ts';
import { given } from './page-providers.ts';

/** A document in an address, at which is searched. */
const addresses = [
  { at: '/path{/*path}', by: 'Path', document: { path: input('path') } },
  { at: '/id/:id', by: 'Id', document: { id: input('address.id') } },
];

const asked = {
  ...page,
  ...queried('query', 'queryParams', 'fullText', 'orderBy', 'highlight'),
  parameters: input('parameters'),
};

/** §4.7 Search at a document. */
export const searchAdapters: readonly Route[] = addresses.flatMap(({ at, by, document }): Route[] => [
  get(
    `${at}/@pp/:name`,
    ({ found }) => ({
      document: call(document, { provided: call({ ...given, provider: input('address.name') }, found) }),
    }),
    {
      name: `getProvidedBy${by}`,
      summary: 'The documents that a page provider finds for a document, page by page',
      show: ['document', 'provided'],
    },
  ),
  get(`${at}/@search`, (show) => ({ document: call(document, { search: call(asked, show.documents) }) }), {
    name: `searchAt${by}`,
    summary: 'The documents below a document with some words, or that a query finds, page by page',
    show: ['document', 'search'],
  }),
]);
