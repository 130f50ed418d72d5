import { NotFound } from '../../errors.ts';
import {
  isSavedSearchType,
  savedNumber,
  savedParameters,
  savedQueryParams,
  savedSort,
  savedText,
} from '../../model/search/saved-search.ts';
import type { Using } from '../../scope.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { DocumentsPage } from './documents-page.ts';
import { findProviderPage, type ProviderPageRequest, pageProviderByName } from './page-providers.ts';
import { findByQuery } from './search-pages.ts';

/** Checks that a document is a saved search. @throws NotFound */
export function requireSavedSearch(
  { services: { model } }: Using<'model'>,
  row: DocumentRow | null,
  id: string,
) {
  if (!row || !isSavedSearchType(model, row.type)) throw new NotFound(`There is no saved search ${id}.`);
  return row;
}

/** Loads a saved search. @throws NotFound, Forbidden */
export const savedSearchById = async (context: Context, id: string): Promise<DocumentRow> =>
  requireSavedSearch(context, await context.load.documentById.load(id), id);

/** Finds the readable saved searches for one page provider or, if none is named, all readable saved searches. */
export const findSavedSearches = (
  context: Context,
  pageProvider: string | null | undefined,
  request: ProviderPageRequest,
): Promise<DocumentsPage> =>
  findProviderPage(context, pageProviderByName(context, 'SAVED_SEARCHES_ALL'), {
    ...request,
    parameters: { pageProvider },
  });

const isEmpty = (list: readonly string[] | null | undefined): boolean => !list || list.length === 0;

/**
 * Merges a request with a saved search. Values in the request take precedence; named parameters from both are combined.
 */
function merged({ properties }: DocumentRow, request: ProviderPageRequest): ProviderPageRequest {
  const sort = isEmpty(request.sortBy) && {
    sortBy: savedSort(properties, 'sortBy'),
    sortOrder: savedSort(properties, 'sortOrder'),
  };
  return {
    ...request,
    ...sort,
    pageSize: request.pageSize ?? savedNumber(properties, 'pageSize'),
    currentPageIndex: request.currentPageIndex ?? savedNumber(properties, 'currentPageIndex'),
    maxResults: request.maxResults ?? savedNumber(properties, 'maxResults'),
    queryParams: isEmpty(request.queryParams) ? savedQueryParams(properties) : request.queryParams,
    parameters: { ...savedParameters(properties), ...request.parameters },
  };
}

/**
 * Executes a saved search (§4.7).
 * @throws NotFound if its page provider no longer exists; Invalid, with the name of the faulty parameter
 */
export async function executeSavedSearch(
  context: Context,
  row: DocumentRow,
  request: ProviderPageRequest,
): Promise<DocumentsPage> {
  const mergedRequest = merged(row, request);
  const providerName = savedText(row.properties, 'providerName');
  if (providerName !== null)
    return findProviderPage(context, pageProviderByName(context, providerName), mergedRequest);
  const { parameters, queryParams, quickFilters: _, ...page } = mergedRequest;
  const query = savedText(row.properties, 'query');
  const language = savedText(row.properties, 'queryLanguage');
  const queryInput = { query, language, positional: queryParams, named: parameters };
  return findByQuery(context, queryInput, { ...page, pageSize: page.pageSize ?? 0 });
}
