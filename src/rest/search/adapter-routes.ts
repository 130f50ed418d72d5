import { call, input, queryArguments } from '../../selection/selection.ts';
import { documentAddresses, get, pagingArguments, type Route } from '../route.ts';
import { foundByProvider } from './page-provider-routes.ts';

export const searchArguments = {
  ...pagingArguments,
  ...queryArguments('query', 'queryParams', 'fullText', 'orderBy', 'highlight'),
  parameters: input('parameters'),
};

/** §4.7: routes of searches below a document. */
export const searchAdapterRoutes: readonly Route[] = documentAddresses.flatMap(
  ({ at, by, document }): Route[] => [
    get(
      `${at}/@pp/:name`,
      (show) => ({ document: call(document, { pageProvider: foundByProvider(show) }) }),
      {
        name: `getProvidedBy${by}`,
        summary: 'The results of a page provider for a document, page by page',
        resultPath: ['document', 'pageProvider'],
        csv: 'documents',
      },
    ),
    get(
      `${at}/@search`,
      (show) => ({ document: call(document, { search: call(searchArguments, show.documents) }) }),
      {
        name: `searchAt${by}`,
        summary:
          'The documents below a document that contain some words, or the results of a query, page by page',
        resultPath: ['document', 'search'],
        csv: 'documents',
      },
    ),
  ],
);
