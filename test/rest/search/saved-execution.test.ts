import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, namesIn } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { ofProvider, ofQuery, queryBelow, savedSearches as saved, saveSearch } from './saved-requests.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
let folder: string;

beforeAll(async () => {
  folder = (await createDocument(server, { type: 'Folder' })).path;
  for (const name of ['third', 'second', 'first'])
    await createDocument(server, { parent: folder, name, properties: { 'dc:title': `The ${name}` } });
});

describe('§4.7 GET /search/saved/ID/execute', () => {
  const run = (id: string, given: object = {}, headers: Record<string, string> = {}) =>
    ann.get(`${saved}/${id}/execute`).query(given).set(headers).expect(200);

  test('finds what the page provider finds with the saved parameters, and with those of the request', async () => {
    const params = { ecm_path: [folder], quickFilter: 'x' };
    const id = await saveSearch(
      ann,
      ofProvider({ params, pageSize: 2, sortBy: 'dc:title', sortOrder: 'asc' }),
    );
    const answer = await run(id);
    expect(namesIn(answer)).toEqual(['first', 'second']);
    expect(answer.body).toMatchObject({ 'entity-type': 'documents', pageSize: 2, resultsCount: 3 });
    expect(Object.keys(answer.body.aggregations)).toContain('dc_creator_agg');
    expect(answer.body.quickFilters).toHaveLength(3);
    expect(namesIn(await run(id, { currentPageIndex: 1 }))).toEqual(['third']);
    expect(namesIn(await run(id, { sortBy: 'dc:title', pageSize: 1 }))).toEqual(['third']);
    expect(namesIn(await run(id, { ecm_fulltext: 'second' }))).toEqual(['second']);
    const plain = await run(id, {}, { skipAggregates: 'true', properties: 'dublincore' });
    expect(plain.body).not.toHaveProperty('aggregations');
    expect(plain.body.entries[0].properties['dc:title']).toBe('The first');
  });

  test.each([
    [['[x]']],
    [['["x"]']],
    [['["x","y"]']],
    [['["x,y"]']],
    [[' x ']],
    [['x, y']],
    [['', 'x']],
    [['x', '', ' y']],
    [['x,', 'y']],
    [['']],
    ['[x]'],
    ['["x"]'],
    [' x, y'],
  ])('finds with the positional parameters %j what the query finds with them', async (queryParams) => {
    const texts = [queryParams].flat();
    const names = ['dc:description', 'dc:source', 'dc:rights'].slice(0, texts.length);
    const properties = Object.fromEntries(names.map((name, index) => [name, texts[index]]));
    const { path } = await createDocument(server, { properties });
    const same = names.map((name) => `${name} = ?`).join(' AND ');
    const query = `SELECT * FROM Document WHERE ecm:path = '${path}' AND ${same}`;
    const id = await saveSearch(ann, ofQuery({ query, queryParams }));
    expect((await run(id)).body.resultsCount).toBe(1);
    const { body: read } = await ann.get(`${saved}/${id}`).expect(200);
    const { body: again } = await ann.put(`${saved}/${id}`).send(read).expect(200);
    expect(again).toEqual(read);
    expect((await run(id)).body.resultsCount).toBe(1);
  });

  test('finds what the query finds', async () => {
    const query = queryBelow(folder, 'AND dc:title = ? AND ecm:name = :name');
    const id = await saveSearch(ann, ofQuery({ query, queryParams: 'The first', params: { name: 'first' } }));
    expect(namesIn(await run(id))).toEqual(['first']);
    expect(namesIn(await run(id, { queryParams: 'The second', name: 'second' }))).toEqual(['second']);
    const headers = { 'enrichers.document': 'breadcrumb' };
    const { body: found } = await run(id, {}, headers);
    expect(found.entries[0].contextParameters.breadcrumb.entries.length).toBeGreaterThan(0);
  });

  test('answers 400 naming what a query does not know', async () => {
    const id = await saveSearch(ann, ofQuery({ query: 'SELECT * FROM Nothing' }));
    const { body: fault } = await ann.get(`${saved}/${id}/execute`).expect(400);
    expect(fault.message).toContain('Nothing');
  });

  test('costs the same number of statements for many documents as for one', async () => {
    const id = await saveSearch(ann, ofProvider({ params: { ecm_path: folder } }));
    const cost = async (pageSize: number) => statements(await run(id, { pageSize }));
    await cost(1);
    expect(await cost(3)).toBe(await cost(1));
  });
});

describe('§4.7 saved searches in GraphQL', () => {
  test('are created, listed, executed, changed and deleted', async () => {
    const search = {
      title: 'By GraphQL',
      query: queryBelow(folder, 'ORDER BY dc:title'),
      queryLanguage: 'NXQL',
    };
    const { made } = await askGraphql<{ made: { id: string } }>(
      server.request,
      'mutation ($search: NewSavedSearch!) { made: createSavedSearch(search: $search) { id } }',
      { search },
    );
    const { savedSearch } = await askGraphql<{ savedSearch: object }>(
      server.request,
      'query ($id: ID!) { savedSearch(id: $id) { title document { type } documents { entries { name } } } }',
      made,
    );
    expect(savedSearch).toEqual({
      title: 'By GraphQL',
      document: { type: 'SavedSearch' },
      documents: { entries: ['first', 'second', 'third'].map((name) => ({ name })) },
    });
    const { changed, gone } = await askGraphql<Record<string, unknown>>(
      server.request,
      `mutation ($id: ID!, $search: NewSavedSearch!) {
        changed: updateSavedSearch(id: $id, search: $search) { title query }
        gone: deleteSavedSearch(id: $id)
      }`,
      { ...made, search: { title: 'x', pageProviderName: 'simple_search' } },
    );
    expect(changed).toEqual({ title: 'x', query: null });
    expect(gone).toBe(made.id);
  });
});
