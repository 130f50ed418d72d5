import type { Examples } from './example.ts';
import { atBoth } from './places.ts';

const query = "SELECT * FROM Document WHERE ecm:primaryType = 'File'";
const provider = { name: 'default_search', ecm_fulltext: 'report' };
const search = { parameters: { query, pageSize: 2 } };
const saved = { 'entity-type': 'savedSearch', title: 'Files', query, queryLanguage: 'NXQL' };
const savedSearch = { id: '{savedSearch}' };
const exporting = {
  route: 'runBulkAction',
  parameters: { bulkAction: 'csvExport', query },
  body: {},
  gives: { command: 'commandId' },
};

export const searchExamples: Examples = {
  ...atBoth(({ within }) => ({
    getProvided: { parameters: { ...within, name: 'default_search', pageSize: 2 } },
  })),
  searchAtPath: { parameters: { path: 'default-domain/workspaces', fullText: 'report' } },
  searchAtId: { parameters: { id: '{workspaces}', fullText: 'report' } },
  search,
  searchIn: { parameters: { language: 'NXQL', ...search.parameters } },
  query: search,
  queryNxql: search,
  searchByPageProvider: { parameters: provider },
  executePageProvider: { parameters: provider },
  queryPageProvider: { parameters: provider },
  getPageProviders: {},
  listPageProviders: {},
  getPageProvider: { parameters: { name: provider.name } },
  createSavedSearch: { body: saved, gives: { savedSearch: 'id' } },
  getSavedSearches: {},
  getSavedSearch: { parameters: savedSearch },
  updateSavedSearch: { parameters: savedSearch, body: { ...saved, title: 'All files' } },
  executeSavedSearch: { parameters: savedSearch },
  deleteSavedSearch: { parameters: savedSearch },
  runBulkAction: {
    parameters: { bulkAction: 'setProperties', query },
    body: { 'dc:description': 'Set for all files' },
  },
  runBulkActionOnPageProvider: {
    parameters: { bulkAction: 'setProperties', ...provider },
    body: { 'dc:description': 'Set for all that is found' },
  },
  getBulkCommand: { before: [exporting], parameters: { id: '{command}' } },
  getBulkResult: { parameters: { id: '{command}' } },
  abortBulkCommand: { before: [exporting], parameters: { id: '{command}' } },
  getBulkCommands: {},
};
