import { call, input, queryArguments } from '../../selection/selection.ts';
import { documentAddresses, get, pagingArguments, type Route } from '../route.ts';
import { foundByProvider } from './page-provider-routes.ts';

export const searchArguments = {
  ...pagingArguments,
  ...queryArguments('query', 'queryParams', 'fullText', 'orderBy', 'highlight'),
  parameters: input('parameters'),
};

/** §4.7: the routes for searches below a document. */
export const searchAdapterRoutes: readonly Route[] = documentAddresses.flatMap(
  ({ at, by, document }): Route[] => [
    get(
      `${at}/@pp/:name`,
      (show) => ({ document: call(document, { pageProvider: foundByProvider(show) }) }),
      {
        name: `getProvidedBy${by}`,
        summary: 'List the results of a page provider in the context of a document',
        resultPath: ['document', 'pageProvider'],
        csv: 'documents',
      },
    ),
    get(
      `${at}/@search`,
      (show) => ({ document: call(document, { search: call(searchArguments, show.documents) }) }),
      {
        name: `searchAt${by}`,
        summary: 'List the documents below a document that contain the given words or match a query',
        resultPath: ['document', 'search'],
        csv: 'documents',
      },
    ),
  ],
);
