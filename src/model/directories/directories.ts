import { fileURLToPath } from 'node:url';
import type { DirectoryDefinition } from '../definitions.ts';
import { eventNames } from '../event-names.ts';

/**
 * Returns the path of a built-in CSV file. Compiled code also reads the file from `src`, because the compiler does not
 * copy CSV files.
 */
const csv = (name: string): string =>
  fileURLToPath(new URL(`../../../src/model/data/directories/${name}.csv`, import.meta.url));

export const stockDirectories: readonly DirectoryDefinition[] = [
  { name: 'continent', schema: 'vocabulary', entries: csv('continent') },
  { name: 'country', schema: 'xvocabulary', parent: 'continent', entries: csv('country') },
  { name: 'topic', schema: 'vocabulary', entries: csv('topic') },
  { name: 'subtopic', schema: 'xvocabulary', parent: 'topic', entries: csv('subtopic') },
  { name: 'l10nsubjects', schema: 'l10nxvocabulary', parent: 'l10nsubjects', entries: csv('l10nsubjects') },
  { name: 'l10ncoverage', schema: 'l10nxvocabulary', parent: 'l10ncoverage', entries: csv('l10ncoverage') },
  { name: 'nature', schema: 'vocabulary', entries: csv('nature') },
  { name: 'language', schema: 'vocabulary', entries: csv('language') },
  { name: 'predicates', schema: 'vocabulary' },
  { name: 'inverse_predicates', schema: 'vocabulary' },
  { name: 'WorkflowType', schema: 'vocabulary', entries: csv('WorkflowType') },

  { name: 'userDirectory', schema: 'user', idField: 'username', system: true, secrets: ['password'] },
  { name: 'groupDirectory', schema: 'group', idField: 'groupname', system: true },
  { name: 'subject', schema: 'vocabulary', system: true, entries: csv('subject') },
  { name: 'search_operators', schema: 'vocabulary', system: true },
  { name: 'documentsLists', schema: 'documentsLists', system: true },
  {
    name: 'eventTypes',
    schema: 'vocabulary',
    system: true,
    entries: eventNames.map((id) => ({ id, label: `label.directories.eventTypes.${id}`, obsolete: 0 })),
  },
  { name: 'eventCategories', schema: 'vocabulary', system: true, entries: csv('eventCategories') },
  { name: 'aceinfo', schema: 'aceinfo', system: true },
  {
    name: 'oauth2Clients',
    schema: 'oauth2Client',
    generatedId: true,
    system: true,
    secrets: ['clientSecret'],
    joined: ['redirectURIs'],
  },
  { name: 'oauth2Tokens', schema: 'oauth2Token', generatedId: true, system: true },
  {
    name: 'oauth2ServiceProviders',
    schema: 'oauth2ServiceProvider',
    generatedId: true,
    system: true,
    secrets: ['clientSecret'],
  },
  { name: 'authTokens', schema: 'authtoken', idField: 'token', system: true },
];
