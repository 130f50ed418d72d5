import type { DirectoryDefinition } from './definitions.ts';

/** The stock directories. */
export const directories: readonly DirectoryDefinition[] = [
  { name: 'continent', schema: 'vocabulary' },
  { name: 'country', schema: 'xvocabulary', parent: 'continent' },
  { name: 'topic', schema: 'vocabulary' },
  { name: 'subtopic', schema: 'xvocabulary', parent: 'topic' },
  { name: 'l10nsubjects', schema: 'l10nxvocabulary', parent: 'l10nsubjects' },
  { name: 'l10ncoverage', schema: 'l10nxvocabulary', parent: 'l10ncoverage' },
  { name: 'nature', schema: 'vocabulary' },
  { name: 'language', schema: 'vocabulary' },
  { name: 'predicates', schema: 'vocabulary' },
  { name: 'inverse_predicates', schema: 'vocabulary' },
  { name: 'WorkflowType', schema: 'vocabulary' },

  { name: 'userDirectory', schema: 'user', idField: 'username', system: true, secrets: ['password'] },
  { name: 'groupDirectory', schema: 'group', idField: 'groupname', system: true },
  { name: 'subject', schema: 'vocabulary', system: true },
  { name: 'search_operators', schema: 'vocabulary', system: true },
  { name: 'documentsLists', schema: 'documentsLists', system: true },
  { name: 'eventTypes', schema: 'vocabulary', system: true },
  { name: 'eventCategories', schema: 'vocabulary', system: true },
  { name: 'aceinfo', schema: 'aceinfo', system: true },
  {
    name: 'oauth2Clients',
    schema: 'oauth2Client',
    generatedId: true,
    system: true,
    secrets: ['clientSecret'],
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
