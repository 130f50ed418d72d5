import { describe, expect, test } from '@jest/globals';
import { stockDirectories } from '../../../src/model/directories/directories.ts';

describe('stock directories', () => {
  test.each([
    ['continent', 'vocabulary', undefined],
    ['country', 'xvocabulary', 'continent'],
    ['topic', 'vocabulary', undefined],
    ['subtopic', 'xvocabulary', 'topic'],
    ['l10nsubjects', 'l10nxvocabulary', 'l10nsubjects'],
    ['l10ncoverage', 'l10nxvocabulary', 'l10ncoverage'],
    ['nature', 'vocabulary', undefined],
    ['language', 'vocabulary', undefined],
    ['predicates', 'vocabulary', undefined],
    ['inverse_predicates', 'vocabulary', undefined],
    ['WorkflowType', 'vocabulary', undefined],
  ])('%s has its schema and parent and is no system directory', (name, schema, parent) => {
    const directory = stockDirectories.find((candidate) => candidate.name === name);
    expect(directory).toMatchObject({ name, schema });
    expect(directory?.parent).toBe(parent);
    expect(directory?.system ?? false).toBe(false);
  });

  test.each([
    'userDirectory',
    'groupDirectory',
    'subject',
    'search_operators',
    'documentsLists',
    'eventTypes',
    'eventCategories',
    'aceinfo',
    'oauth2Clients',
    'oauth2Tokens',
    'oauth2ServiceProviders',
    'authTokens',
  ])('%s is a system directory', (name) => {
    expect(stockDirectories.find((candidate) => candidate.name === name)?.system).toBe(true);
  });
});
