import type { Requests } from '../../support/requests.ts';

export const savedSearches = '/api/v1/search/saved';

/** The body that saves or changes a search. */
export const savedBody = (fields: object): object => ({ 'entity-type': 'savedSearch', ...fields });

/** The body of a search of a page provider. */
export const ofProvider = (fields: object = {}): object =>
  savedBody({ title: 'Mine', pageProviderName: 'default_search', ...fields });

/** The body of a search of a query. */
export const ofQuery = (fields: object = {}): object =>
  savedBody({ title: 'Mine', queryLanguage: 'NXQL', ...fields });

/** The query of all that is below a folder. */
export const queryBelow = (folder: string, more = ''): string =>
  `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder}' ${more}`;

/** Saves a search and returns its id. */
export async function saveSearch(request: Requests, fields: object): Promise<string> {
  const answer = await request.post(savedSearches).send(fields).expect(201);
  return answer.body.id;
}
