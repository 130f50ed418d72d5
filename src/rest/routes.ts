import type { Route } from './route.ts';
import { groups, users } from './routes/authorities.ts';
import { automation } from './routes/automation.ts';
import { config } from './routes/config.ts';
import { directories } from './routes/directories.ts';
import { documents } from './routes/documents.ts';
import { pageProviders } from './routes/page-providers.ts';
import { search } from './routes/search.ts';
import { searchAdapters } from './routes/search-adapters.ts';
import { tokens } from './routes/tokens.ts';
import { uploads } from './routes/uploads.ts';
import { tasks, workflows, workflowsOfDocuments } from './routes/workflows.ts';

/** The rows of one subject. */
export interface Section {
  readonly name: string;
  readonly description: string;
  readonly routes: readonly Route[];
}

/** The whole interface below /api/v1, subject by subject. Of two rows that match an address, the first counts. */
export const sections: readonly Section[] = [
  {
    name: 'Documents',
    description: 'Documents by path (§4.1) and by id (§4.2), with what is below them, and their files.',
    routes: documents,
  },
  { name: 'Users', description: 'Users, and the caller (§4.3).', routes: users },
  { name: 'Groups', description: 'Groups, and who is in them (§4.4).', routes: groups },
  { name: 'Directories', description: 'Vocabularies and other directories (§4.5).', routes: directories },
  { name: 'Configuration', description: 'Facets, schemas and document types (§4.6).', routes: config },
  {
    name: 'Search',
    description: 'What documents there are, by queries and by page providers (§4.7).',
    routes: [...search, ...pageProviders, ...searchAdapters],
  },
  {
    name: 'Tokens',
    description: 'Login tokens of the caller, and what applications were granted (§5).',
    routes: tokens,
  },
  {
    name: 'Uploads',
    description: 'Files that are brought one by one, until documents and operations take them (§4.7).',
    routes: uploads,
  },
  { name: 'Tasks', description: 'What workflows ask people to do (§4.7).', routes: tasks },
  {
    name: 'Workflows',
    description: 'Workflows on documents, and the models that they are started from (§4.7).',
    routes: [...workflows, ...workflowsOfDocuments],
  },
  {
    name: 'Automation',
    description: 'Operations by name, at once or without waiting (§4.7).',
    routes: automation,
  },
];

export const routes: readonly Route[] = sections.flatMap((section) => section.routes);
