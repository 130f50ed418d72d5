import type { Examples } from './example.ts';

const leaflet = { directory: 'nature', entry: 'leaflet' };
const entry = (label: string) => ({
  'entity-type': 'directoryEntry',
  directoryName: 'nature',
  properties: { id: 'leaflet', label },
});
const webhook = { 'entity-type': 'webhook', url: 'https://example.org/hook', events: ['documentCreated'] };

/**
 * Examples of directories and of server administration. `{failedJob}` and `{otherJob}` are jobs that have been set
 * aside after failing repeatedly.
 */
export const administrationExamples: Examples = {
  getDirectories: {},
  createDirectoryEntry: { parameters: { directory: 'nature' }, body: entry('Leaflet') },
  getDirectoryEntries: { parameters: { directory: 'nature' } },
  getDirectoryEntry: { parameters: leaflet },
  updateDirectoryEntry: { parameters: leaflet, body: entry('A leaflet') },
  deleteDirectoryEntry: { parameters: leaflet },
  getCapabilities: {},
  getConverters: {},
  getFacets: {},
  getFacet: { parameters: { name: 'Folderish' } },
  getSchemas: {},
  getSchema: { parameters: { name: 'dublincore' } },
  getTypes: {},
  getType: { parameters: { name: 'File' } },
  getMails: {},
  getJobs: { parameters: { state: ['set-aside'] } },
  runJob: { parameters: { id: '{failedJob}' } },
  dropJob: { parameters: { id: '{otherJob}' } },
  getProbes: {},
  createWebhook: { body: webhook, gives: { webhook: 'id', secret: 'secret' } },
  getWebhooks: {},
  updateWebhook: { parameters: { id: '{webhook}' }, body: { 'entity-type': 'webhook', enabled: false } },
  deleteWebhook: { parameters: { id: '{webhook}' } },
};
