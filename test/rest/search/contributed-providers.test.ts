import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, namesIn } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { list } from './search-requests.ts';

const notes = 'SELECT * FROM Note WHERE ecm:isVersion = 0';
const byScore = { property: 'ecm:fulltextScore', order: 'desc' } as const;

const server = useServer(
  {},
  {
    pageProviders: [
      { name: 'best', query: `${notes} AND ecm:fulltext = :w ORDER BY ecm:fulltextScore DESC` },
      {
        name: 'best_of_given',
        query: notes,
        predicates: [{ parameter: 'w', property: 'ecm:fulltext', operator: '=' }],
        sort: [byScore],
      },
      {
        name: 'best_of_filter',
        query: notes,
        quickFilters: [{ name: 'words', condition: 'ecm:fulltext = :w', sort: [byScore] }],
      },
      {
        name: 'granted',
        query: `${notes} AND ecm:acl/*1/principal = ? AND ecm:acl/*1/permission = 'Read'`,
      },
      {
        name: 'elements',
        query: `${notes} AND dc:subjects/*1 LIKE 'art%'`,
        predicates: [{ parameter: 'not', property: 'dc:subjects/*1', operator: '<>' }],
        quickFilters: [{ name: 'filter', condition: "NOT dc:subjects/*1 = 'art/music'" }],
      },
    ],
  },
);

beforeAll(async () => {
  const given = {
    once: { 'dc:title': 'apple', 'note:note': 'pear '.repeat(50), 'dc:subjects': ['art/music'] },
    often: {
      'dc:title': 'apple',
      'note:note': 'apple '.repeat(50),
      'dc:subjects': ['art/music', 'art/cinema'],
    },
  };
  for (const [name, properties] of Object.entries(given))
    await createDocument(server, { type: 'Note', name, properties });
});

describe('§4.7 a contributed page provider', () => {
  test.each([
    ['best', { w: 'apple' }],
    ['best_of_given', { w: 'apple' }],
    ['best_of_filter', { w: 'apple', quickFilters: 'words' }],
  ])('sorts by the score of words: %s', async (name, given) => {
    expect(namesIn(await list(server.request, name, given).expect(200))).toEqual(['often', 'once']);
  });

  test('has numbered elements in its query, predicates and quick filters', async () => {
    const found = async (name: string, given: Record<string, string>) =>
      namesIn(await list(server.request, name, given).expect(200)).sort();
    expect(await found('granted', { queryParams: 'no-such-user' })).toEqual([]);
    expect(await found('elements', {})).toEqual(['often', 'once']);
    expect(await found('elements', { not: 'art/music' })).toEqual(['often']);
    expect(await found('elements', { quickFilters: 'filter' })).toEqual(['often']);
  });
});
