import type { Json } from './json-schema.ts';

/** A request that a new server answers with success, after those above it. */
export interface Example {
  /** Of the address and of the query. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  /** JSON. */
  readonly body?: unknown;
  /** The text of a file that is sent in a form. */
  readonly file?: string;
}

const workspaces = 'default-domain/workspaces';
const report = { path: `${workspaces}/report` };
const xpath = 'file:content';
const query = "SELECT * FROM Document WHERE ecm:primaryType = 'File'";
const document = (more: object) => ({ 'entity-type': 'document', ...more });
const user = (properties: object) => ({ 'entity-type': 'user', id: 'ann', properties });
const group = (more: object) => ({ 'entity-type': 'group', id: 'editors', ...more });
const entry = (label: string) => ({
  'entity-type': 'directoryEntry',
  directoryName: 'nature',
  properties: { id: 'leaflet', label },
});
const [ann, editors] = [{ user: 'ann' }, { group: 'editors' }];
const leaflet = { directory: 'nature', entry: 'leaflet' };
const model = { model: 'SerialDocumentReview' };
const provider = { name: 'default_search', ecm_fulltext: 'report' };

const documentExamples: Readonly<Record<string, Example>> = {
  createDocumentByPath: {
    parameters: { path: workspaces },
    body: document({ type: 'File', name: 'report', properties: { 'dc:title': 'A report' } }),
  },
  updateDocumentByPath: { parameters: report, body: document({ properties: { 'dc:title': 'The report' } }) },
  getDocumentByPath: { parameters: report },
  getChildrenByPath: { parameters: { path: workspaces, pageSize: 10 } },
  getAclsByPath: { parameters: report },
  getAuditByPath: { parameters: report },
  getEmptyDocumentByPath: { parameters: { path: workspaces, type: 'Note' } },
  setMainBlobByPath: { parameters: report, file: 'The text of the report.' },
  getMainBlobByPath: { parameters: report },
  removeMainBlobByPath: { parameters: report },
  setBlobByPath: { parameters: { ...report, xpath }, file: 'Another text of the report.' },
  getBlobByPath: { parameters: { ...report, xpath } },
  getPreviewByPath: { parameters: report },
  getPreviewOfBlobByPath: { parameters: { ...report, xpath } },
  getRenditionByPath: { parameters: { ...report, rendition: 'thumbnail' } },
  getConversionByPath: { parameters: { ...report, type: 'text/html' } },
  getConversionOfBlobByPath: { parameters: { ...report, xpath, type: 'text/html' } },
  makeConversionByPath: { parameters: report, body: { type: 'text/html' } },
  makeConversionOfBlobByPath: { parameters: { ...report, xpath }, body: { type: 'text/html' } },
  getBusinessObjectByPath: { parameters: { ...report, object: 'File' } },
  updateBusinessObjectByPath: {
    parameters: { ...report, object: 'File' },
    body: { 'entity-type': 'File', value: { title: 'The report' } },
  },
  createBusinessObjectByPath: {
    parameters: { path: workspaces, object: 'Note', name: 'memo' },
    body: { 'entity-type': 'Note', value: { type: 'Note', title: 'A memo' } },
  },
  createCommentByPath: { parameters: report, body: { 'entity-type': 'comment', text: 'Well done.' } },
  getCommentsByPath: { parameters: report },
  createAnnotationByPath: {
    parameters: report,
    body: { 'entity-type': 'annotation', text: 'A word is missing.', xpath },
  },
  getAnnotationsByPath: { parameters: { ...report, xpath } },
  getAnnotationCommentsByPath: { parameters: report, body: [] },
  startWorkflowByPath: {
    parameters: report,
    body: { 'entity-type': 'workflow', workflowModelName: model.model },
  },
  getWorkflowsByPath: { parameters: report },
  getTasksByPath: { parameters: report },
};

const searchExamples: Readonly<Record<string, Example>> = {
  search: { parameters: { query } },
  searchIn: { parameters: { language: 'NXQL', query, pageSize: 10 } },
  query: { parameters: { query } },
  queryNxql: { parameters: { query } },
  searchByPageProvider: { parameters: provider },
  executePageProvider: { parameters: provider },
  queryPageProvider: { parameters: provider },
  getPageProvider: { parameters: { name: provider.name } },
  getProvidedByPath: { parameters: { path: workspaces, name: 'default_search' } },
  searchAtPath: { parameters: { path: workspaces, fullText: 'report' } },
  createSavedSearch: { body: { 'entity-type': 'savedSearch', title: 'Files', query, queryLanguage: 'NXQL' } },
  getSavedSearches: {},
  runBulkAction: {
    parameters: { bulkAction: 'setProperties', query },
    body: { 'dc:description': 'Set for all files' },
  },
  runBulkActionOnPageProvider: {
    parameters: { bulkAction: 'setProperties', name: provider.name },
    body: { 'dc:description': 'Set for all that is found' },
  },
  getBulkCommands: {},
};

const authorityExamples: Readonly<Record<string, Example>> = {
  getMe: {},
  createUser: { body: user({ username: 'ann', firstName: 'Ann', password: 'a long password' }) },
  getUser: { parameters: ann },
  updateUser: { parameters: ann, body: user({ lastName: 'Smith' }) },
  searchUsers: { parameters: { q: 'ann' } },
  createGroup: { body: group({ grouplabel: 'Editors' }) },
  getGroup: { parameters: editors },
  updateGroup: { parameters: editors, body: group({ memberUsers: ['ann'] }) },
  searchGroups: { parameters: { q: 'editors' } },
  getUsersOfGroup: { parameters: editors },
  getGroupsOfGroup: { parameters: editors },
  addGroupToUser: { parameters: { ...ann, ...editors } },
  removeGroupFromUser: { parameters: { ...ann, ...editors } },
  addUserToGroup: { parameters: { ...ann, ...editors } },
  removeUserFromGroup: { parameters: { ...ann, ...editors } },
  endCredentials: { parameters: ann },
  createToken: { parameters: { application: 'Reader', deviceId: 'laptop', permission: 'rw' } },
  getTokens: {},
  getServiceProviders: {},
  getOAuth2Clients: {},
  getAllGrants: {},
  getServiceTokens: {},
  getGrants: {},
  login: {},
};

const otherExamples: Readonly<Record<string, Example>> = {
  getDirectories: {},
  createDirectoryEntry: { parameters: { directory: 'nature' }, body: entry('Leaflet') },
  getDirectoryEntries: { parameters: { directory: 'nature' } },
  getDirectoryEntry: { parameters: leaflet },
  updateDirectoryEntry: { parameters: leaflet, body: entry('A leaflet') },
  getCapabilities: {},
  getConverters: {},
  getFacets: {},
  getFacet: { parameters: { name: 'Folderish' } },
  getSchemas: {},
  getSchema: { parameters: { name: 'dublincore' } },
  getTypes: {},
  getType: { parameters: { name: 'File' } },
  beginUpload: {},
  beginUploadThrough: { parameters: { handler: 'default' } },
  getUploadHandlers: {},
  getUploadHandler: { parameters: { name: 'default' } },
  getTasks: {},
  getWorkflows: {},
  startWorkflow: { body: { 'entity-type': 'workflow', workflowModelName: model.model } },
  getWorkflowModels: {},
  getWorkflowModel: { parameters: model },
  getWorkflowModelGraph: { parameters: model },
  getMails: {},
  getJobs: {},
  getProbes: {},
  createWebhook: {
    body: { 'entity-type': 'webhook', url: 'https://example.org/hook', events: ['documentCreated'] },
  },
  getWebhooks: {},
  getOperations: {},
};

const removingExamples: Readonly<Record<string, Example>> = {
  removeBlobByPath: { parameters: { ...report, xpath } },
  deleteDocumentByPath: { parameters: report },
  deleteDirectoryEntry: { parameters: leaflet },
  deleteGroup: { parameters: editors },
  deleteUser: { parameters: ann },
  changePassword: { body: { oldPassword: 'Administrator', newPassword: 'a long password' } },
};

/** By the name of the route, in an order in which a new server answers all of them with success. */
export const examples: Readonly<Record<string, Example>> = {
  ...documentExamples,
  ...searchExamples,
  ...authorityExamples,
  ...otherExamples,
  ...removingExamples,
};

/** A parameter with its value of the example. */
export function withExample(parameter: Json, route: string): Json {
  const example = examples[route]?.parameters?.[String(parameter.name)];
  return example === undefined ? parameter : { ...parameter, example };
}

/** A body of JSON with that of the example. */
export function bodyWithExample(requestBody: Json | undefined, route: string): Json | undefined {
  const { body } = examples[route] ?? {};
  const content = requestBody?.content as Record<string, Json> | undefined;
  if (body === undefined || !content) return requestBody;
  const json = { ...content['application/json'], example: body };
  return { ...requestBody, content: { ...content, 'application/json': json } };
}
