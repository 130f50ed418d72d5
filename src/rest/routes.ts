import { aclRoutes } from './acls/routes.ts';
import { groupRoutes, userRoutes } from './authorities/routes.ts';
import { resourceRoutes } from './automation/resource-routes.ts';
import { automationRoutes } from './automation/routes.ts';
import { bulkActionRoutes } from './bulk/routes.ts';
import { commentRoutes } from './comments/routes.ts';
import { configRoutes } from './config/routes.ts';
import { directoryRoutes } from './directories/routes.ts';
import { documentsByIdsRoutes } from './documents/by-ids-routes.ts';
import { documentRoutes } from './documents/routes.ts';
import { mailRoutes } from './mail/routes.ts';
import { probeRoutes } from './probes/routes.ts';
import { queueRoutes } from './queue/routes.ts';
import { renditionRoutes } from './renditions/routes.ts';
import type { Route } from './route.ts';
import { searchAdapterRoutes } from './search/adapter-routes.ts';
import { pageProviderRoutes } from './search/page-provider-routes.ts';
import { searchRoutes } from './search/routes.ts';
import { savedSearchRoutes } from './search/saved-routes.ts';
import { shareRoutes } from './shares/routes.ts';
import { tagRoutes } from './tags/routes.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { uploadRoutes } from './uploads/routes.ts';
import { versionRoutes } from './versions/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { documentWorkflowRoutes, taskRoutes, workflowRoutes } from './workflows/routes.ts';

/** A group of routes with the same tag in openapi.json. */
export interface Section {
  readonly name: string;
  readonly description: string;
  /** Whether the headers for searches apply to the routes. */
  readonly isSearch?: true;
  readonly routes: readonly Route[];
}

const contributed = resourceRoutes();

/** All routes below /api/v1. If several routes match a path, the first one serves it. */
export const sections: readonly Section[] = [
  {
    name: 'Documents',
    description: 'Documents by path (§4.1) and by id (§4.2), their descendants and their files.',
    routes: [
      ...renditionRoutes,
      ...aclRoutes,
      ...versionRoutes,
      ...tagRoutes,
      ...shareRoutes,
      ...documentRoutes,
      ...documentsByIdsRoutes,
    ],
  },
  { name: 'Users', description: 'Users, including the caller (§4.3).', routes: userRoutes },
  { name: 'Groups', description: 'Groups and their members (§4.4).', routes: groupRoutes },
  { name: 'Directories', description: 'Vocabularies and other directories (§4.5).', routes: directoryRoutes },
  {
    name: 'Configuration',
    description: 'Facets, schemas and document types (§4.6), and capabilities.',
    routes: configRoutes,
  },
  {
    name: 'Search',
    description: 'Searches by query and by page provider (§4.7).',
    isSearch: true,
    routes: [...searchRoutes, ...pageProviderRoutes, ...searchAdapterRoutes, ...savedSearchRoutes],
  },
  {
    name: 'Bulk actions',
    description: 'Bulk actions, which change all documents found by a search in the background.',
    routes: bulkActionRoutes,
  },
  {
    name: 'Tokens',
    description: 'Login tokens of the caller, and access granted to applications (§5).',
    routes: tokenRoutes,
  },
  {
    name: 'Uploads',
    description: 'Batches of uploaded files for documents and operations (§4.7).',
    routes: uploadRoutes,
  },
  { name: 'Tasks', description: 'The tasks that workflows assign to people (§4.7).', routes: taskRoutes },
  {
    name: 'Workflows',
    description: 'Workflows on documents, and workflow models (§4.7).',
    routes: [...workflowRoutes, ...documentWorkflowRoutes],
  },
  {
    name: 'Comments',
    description: 'Comments on documents, replies to them, and annotations (§4.7).',
    routes: commentRoutes,
  },
  {
    name: 'Mail',
    description: 'Emails that were sent, or only stored if the server does not send emails.',
    routes: mailRoutes,
  },
  { name: 'Jobs', description: 'Background jobs, including recurring ones.', routes: queueRoutes },
  { name: 'Probes', description: 'Checks of the services that the server depends on.', routes: probeRoutes },
  { name: 'Webhooks', description: 'URLs that the server calls after events.', routes: webhookRoutes },
  {
    name: 'Automation',
    description: 'Operations by name, synchronously or asynchronously (§4.7).',
    routes: automationRoutes,
  },
  ...(contributed.length > 0
    ? [{ name: 'Extensions', description: 'Resources that extensions add.', routes: contributed }]
    : []),
];

export const routes: readonly Route[] = sections.flatMap((section) => section.routes);
