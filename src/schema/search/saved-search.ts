import { asObject } from '../../graphql/as-object.ts';
import { builder, Document, Documents } from '../../graphql/builder.ts';
import { implementPage, pageArguments, pageCost } from '../../graphql/page.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import {
  executeSavedSearch,
  findSavedSearches,
  savedSearchById,
} from '../../loaders/search/saved-searches.ts';
import { savedParameters, savedText } from '../../model/search/saved-search.ts';
import {
  createSavedSearch,
  deleteSavedSearch,
  updateSavedSearch,
} from '../../store/search/saved-searches.ts';
import { providerArguments } from './page-provider.ts';

/** These arguments have no default values, so that arguments omitted in a request take the saved values. */
const executionArguments = {
  ...providerArguments,
  ...builder.args((t) => ({
    pageSize: t.int({
      description: 'The maximum number of entries, up to 1000; defaults to the saved value.',
    }),
    currentPageIndex: t.int({ description: 'The index of the page, from 0; defaults to the saved value.' }),
  })),
};

const saved = (name: string) => ({
  nullable: true as const,
  resolve: ({ properties }: DocumentRow) => savedText(properties, name),
});

const SavedSearch = builder.objectRef<DocumentRow>('SavedSearch');
SavedSearch.implement({
  description: 'A search that a user has saved (§4.7).',
  fields: (t) => ({
    id: t.exposeID('id'),
    title: t.string({ resolve: ({ properties, name }) => String(properties['dc:title'] ?? name) }),
    queryParams: t.string(saved('queryParams')),
    query: t.string(saved('query')),
    queryLanguage: t.string(saved('queryLanguage')),
    pageProviderName: t.string(saved('providerName')),
    pageSize: t.string(saved('pageSize')),
    currentPageIndex: t.string(saved('currentPageIndex')),
    maxResults: t.string(saved('maxResults')),
    sortBy: t.string(saved('sortBy')),
    sortOrder: t.string(saved('sortOrder')),
    contentViewData: t.string(saved('contentViewData')),
    params: t.field({
      type: 'JSON',
      description: 'Named parameters.',
      resolve: ({ properties }) => savedParameters(properties),
    }),
    document: t.field({
      type: Document,
      description: 'The document in which the search is stored.',
      resolve: (row) => row,
    }),
    documents: t.field({
      type: Documents,
      description: 'The documents that the search finds and the caller can read.',
      args: executionArguments,
      complexity: pageCost,
      resolve: (row, { parameters, ...given }, context) =>
        executeSavedSearch(context, row, { ...given, parameters: asObject(parameters, 'parameters') }),
    }),
  }),
});

const SavedSearches = builder.objectRef<PageShape<DocumentRow>>('SavedSearches');
implementPage(SavedSearches, SavedSearch, 'A page of saved searches.');

const NewSavedSearch = builder.inputType('NewSavedSearch', {
  description: 'A title, and either a page provider or a query with its language.',
  fields: (t) => ({
    title: t.string(),
    queryParams: t.stringList({ description: 'Positional parameters.' }),
    query: t.string(),
    queryLanguage: t.string({ description: 'NXQL.' }),
    pageProviderName: t.string(),
    pageSize: t.int(),
    currentPageIndex: t.int(),
    maxResults: t.int(),
    sortBy: t.string({ description: 'Properties, separated by commas.' }),
    sortOrder: t.string({ description: 'asc or desc for each property in sortBy, separated by commas.' }),
    contentViewData: t.string({ description: 'Data that a client stores with the search.' }),
    params: t.field({ type: 'JSON', description: 'Named parameters.' }),
  }),
});

builder.queryFields((t) => ({
  savedSearch: t.field({
    type: SavedSearch,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => savedSearchById(context, id),
  }),
  savedSearches: t.field({
    type: SavedSearches,
    description: 'The saved searches that the caller can read, ordered by title.',
    args: {
      pageProvider: t.arg.string({ description: 'Restricts the list to searches of this page provider.' }),
      ...pageArguments,
    },
    complexity: pageCost,
    resolve: (_, { pageProvider, ...page }, context) => findSavedSearches(context, pageProvider, page),
  }),
}));

builder.mutationFields((t) => ({
  createSavedSearch: t.field({
    type: SavedSearch,
    description: "Saves a search in the caller's workspace.",
    args: { search: t.arg({ type: NewSavedSearch, required: true }) },
    resolve: (_, { search }, context) =>
      createSavedSearch(context, { ...search, params: asObject(search.params, 'params') }),
  }),
  updateSavedSearch: t.field({
    type: SavedSearch,
    description: 'Replaces a saved search. Absent fields are cleared.',
    args: { id: t.arg.id({ required: true }), search: t.arg({ type: NewSavedSearch, required: true }) },
    resolve: (_, { id, search }, context) =>
      updateSavedSearch(context, id, { ...search, params: asObject(search.params, 'params') }),
  }),
  deleteSavedSearch: t.id({
    description: 'Deletes a saved search and returns its id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => deleteSavedSearch(context, id),
  }),
}));
