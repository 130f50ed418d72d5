import { beforeAll, describe, expect, test } from '@jest/globals';
import { setAcl } from '../../support/acls.ts';
import { createDocument, missingId, namesIn } from '../../support/documents.ts';
import { exception, type Requests } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import {
  ofProvider,
  ofQuery,
  queryBelow,
  savedSearches as saved,
  savedBody,
  saveSearch,
} from './saved-requests.ts';
import { list } from './search-requests.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
const bob = useUser(server, 'bob', ['members']);
let folder: string;

beforeAll(async () => {
  folder = (await createDocument(server, { type: 'Folder' })).path;
  for (const name of ['third', 'second', 'first'])
    await createDocument(server, { parent: folder, name, properties: { 'dc:title': `The ${name}` } });
});

const titlesOf = async (request: Requests, given: object = {}): Promise<string[]> => {
  const answer = await request.get(saved).query(given).expect(200);
  return answer.body.entries.map(({ title }: { title: string }) => title);
};

describe('§4.7 POST /search/saved', () => {
  test('saves the search of a page provider and answers it', async () => {
    const params = { ecm_fulltext: 'x', dc_creator_agg: ['jdoe'] };
    const given = ofProvider({ pageSize: '20', params });
    const answer = await ann.post(saved).send(given).expect(201);
    const entity = {
      'entity-type': 'savedSearch',
      id: expect.any(String),
      title: 'Mine',
      queryParams: null,
      query: null,
      queryLanguage: null,
      pageProviderName: 'default_search',
      pageSize: '20',
      currentPageIndex: null,
      maxResults: null,
      sortBy: null,
      sortOrder: null,
      contentViewData: null,
      params,
    };
    expect(answer.body).toEqual(entity);
    expect(Object.keys(answer.body)).toEqual(Object.keys(entity));
    const { body: again } = await ann.get(`${saved}/${answer.body.id}`).expect(200);
    expect(again).toEqual(answer.body);
  });

  test('keeps all fields of a query', async () => {
    const fields = {
      query: 'SELECT * FROM Note WHERE dc:title = ? AND dc:creator IN :names AND dc:created > :day',
      queryLanguage: 'NXQL',
      queryParams: '$currentUser',
      sortBy: 'dc:title,dc:created',
      sortOrder: 'asc,desc',
      contentViewData: '{"columns":[]}',
    };
    const sizes = { pageSize: 5, currentPageIndex: 1, maxResults: 'PAGE_SIZE' };
    const { body: made } = await ann
      .post(saved)
      .send(ofQuery({ ...fields, ...sizes }))
      .expect(201);
    expect(made).toMatchObject({
      ...fields,
      pageSize: '5',
      currentPageIndex: '1',
      maxResults: '-2',
      params: {},
    });
  });

  test('takes positional and named parameters beside each other', async () => {
    const given = ofQuery({
      query: 'SELECT * FROM Note WHERE dc:title = ? AND dc:description = ? AND dc:creator = :who',
    });
    const id = await saveSearch(ann, given);
    await ann.put(`${saved}/${id}`).send(given).expect(200);
  });

  test.each([
    'text',
    '',
    'true',
    '1',
    'null',
    '["a"]',
    '"quoted"',
    true,
    1.5,
    null,
    ['a', 'b,c'],
    [],
    { a: [1] },
  ])('keeps the parameter %j as it is', async (value) => {
    const id = await saveSearch(ann, ofProvider({ params: { value, '__proto__ x': 'y' } }));
    const { body: read } = await ann.get(`${saved}/${id}`).expect(200);
    expect(read.params).toEqual({ value, '__proto__ x': 'y' });
  });

  test.each<[string, object, string]>([
    ['no title', savedBody({ pageProviderName: 'default_search' }), 'title cannot be empty'],
    ['an empty title', ofProvider({ title: ' ' }), 'title cannot be empty'],
    ['a title that is no text', ofProvider({ title: 1 }), 'title must be a string.'],
    ['neither', savedBody({ title: 'x' }), 'query or page provider parameters are missing: pageProviderName'],
    [
      'no language',
      savedBody({ title: 'x', query: 'y' }),
      'query or page provider parameters are missing: queryLanguage',
    ],
    ['no query', ofQuery(), 'query or page provider parameters are missing: query'],
    [
      'both',
      ofProvider({ query: 'SELECT * FROM Note', queryLanguage: 'NXQL' }),
      'query and page provider parameters are mutually exclusive query parameters',
    ],
    [
      'a strange provider',
      ofProvider({ pageProviderName: 'odd' }),
      'pageProviderName: Page provider: odd does not exist. GET /api/v1/search/lang/pp lists the page providers.',
    ],
    [
      'a provider of tasks',
      ofProvider({ pageProviderName: 'user_tasks' }),
      'pageProviderName: user_tasks returns tasks rather than documents',
    ],
    [
      'a strange language',
      ofQuery({ query: 'x', queryLanguage: 'SQL' }),
      'queryLanguage: "SQL" is not supported. Use NXQL.',
    ],
    ['half a query', ofQuery({ query: 'SELECT' }), 'query: at 7: expected a property, found the end'],
    [
      'a query of columns',
      ofQuery({ query: 'SELECT dc:title FROM Note' }),
      'query: expected SELECT *; only Repository.ResultSetQuery can select columns',
    ],
    ['a strange size', ofProvider({ pageSize: 'many' }), 'pageSize must be an integer of at least -1.'],
    [
      'half a page',
      ofProvider({ currentPageIndex: 0.5 }),
      'currentPageIndex must be an integer of at least 0.',
    ],
    ['strange parameters', ofProvider({ params: [] }), 'params must be an object.'],
    [
      'another entity',
      { ...ofProvider(), 'entity-type': 'document' },
      'entity-type must be "savedSearch"; got "document".',
    ],
  ])('answers 400 to %s', async (_, given, message) => {
    const answer = await ann.post(saved).send(given).expect(400);
    expect(answer.body).toMatchObject(exception(400, message));
  });

  test.each(['a/b', '..', 'tab\there', 'x'.repeat(400)])('takes the title "%s"', async (title) => {
    const id = await saveSearch(ann, ofProvider({ title }));
    const { body: read } = await ann.get(`${saved}/${id}`).expect(200);
    expect(read.title).toBe(title);
  });

  test('makes a hidden document in the workspace of the user, of the type of the page provider', async () => {
    const id = await saveSearch(bob, ofProvider({ title: 'Hidden', params: { ecm_fulltext: 'third' } }));
    const { body: document } = await bob
      .get(`/api/v1/id/${id}`)
      .set('enrichers.document', 'acls')
      .expect(200);
    expect(document).toMatchObject({
      type: 'DefaultSearch',
      title: 'Hidden',
      path: '/default-domain/UserWorkspaces/bob/Hidden',
      facets: expect.arrayContaining(['SavedSearch', 'HiddenInNavigation']),
    });
    const [local] = document.contextParameters.acls;
    expect(local.aces).toMatchObject([{ username: 'bob', permission: 'Everything', granted: true }]);
    const { body: plain } = await bob
      .post(saved)
      .send(ofQuery({ query: queryBelow(folder) }))
      .expect(201);
    const { body: other } = await bob.get(`/api/v1/id/${plain.id}`).expect(200);
    expect(other.type).toBe('SavedSearch');
    const found = await list(bob, 'default_search', { ecm_fulltext: 'third' }).expect(200);
    expect(namesIn(found)).toEqual(['third']);
    const { body: children } = await bob
      .get('/api/v1/path/default-domain/UserWorkspaces/bob/@children')
      .expect(200);
    expect(children.entries).toEqual([]);
  });
});

describe('§4.7 GET /search/saved', () => {
  const eve = useUser(server, 'eve', ['members']);

  test('lists those that the caller may read, by title and page by page', async () => {
    await saveSearch(eve, ofProvider({ title: 'c' }));
    const shared = await saveSearch(eve, ofProvider({ title: 'a' }));
    await saveSearch(eve, ofProvider({ title: 'b', pageProviderName: 'simple_search' }));
    await saveSearch(eve, ofQuery({ title: 'd', query: queryBelow(folder) }));
    expect(await titlesOf(eve)).toEqual(['a', 'b', 'c', 'd']);
    expect(await titlesOf(eve, { pageProvider: 'default_search' })).toEqual(['a', 'c']);
    expect(await titlesOf(eve, { pageProvider: 'no_search' })).toEqual([]);
    const { body: page } = await eve.get(`${saved}?pageSize=3&currentPageIndex=1`).expect(200);
    expect(page).toMatchObject({
      'entity-type': 'savedSearches',
      isPaginable: true,
      resultsCount: 4,
      currentPageIndex: 1,
      entries: [{ 'entity-type': 'savedSearch', title: 'd' }],
    });
    const carl = await titlesOf(bob, { pageProvider: 'simple_search' });
    expect(carl).toEqual([]);
    const { body: document } = await eve.get(`/api/v1/id/${shared}`).expect(200);
    await setAcl(server, document.path, [{ username: 'bob', permission: 'Read' }]);
    expect(await titlesOf(bob, { pageProvider: 'default_search' })).toContain('a');
    expect(await titlesOf(server.request)).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']));
  });

  test('leaves out what is in the trash', async () => {
    const id = await saveSearch(eve, ofProvider({ title: 'thrown away' }));
    await eve.post(`/api/v1/id/${id}/@op/Document.Trash`).send({}).expect(200);
    expect(await titlesOf(eve)).not.toContain('thrown away');
  });

  test('is the page provider SAVED_SEARCHES_ALL', async () => {
    const found = await list(eve, 'SAVED_SEARCHES_ALL', { pageProvider: 'simple_search' }).expect(200);
    expect(found.body.entries).toMatchObject([{ 'entity-type': 'document', title: 'b' }]);
  });

  test('costs the same number of statements for many as for one', async () => {
    const cost = async (pageSize: number) => statements(await eve.get(saved).query({ pageSize }).expect(200));
    await cost(1);
    expect(await cost(4)).toBe(await cost(1));
  });

  test.each(['pageSize=x', 'sortBy=dc:nothing'])('answers 400 to %s', async (query) => {
    await eve.get(`${saved}?${query}`).expect(400);
  });
});

describe('§4.7 PUT and DELETE /search/saved/ID', () => {
  test('replace all that was saved, and delete it', async () => {
    const id = await saveSearch(ann, ofProvider({ title: 'old', pageSize: 5, params: { a: '1', b: '2' } }));
    const given = ofProvider({ title: 'new', pageProviderName: 'simple_search', params: { b: '3' } });
    const { body: changed } = await ann.put(`${saved}/${id}`).send(given).expect(200);
    expect(changed).toMatchObject({ id, title: 'new', pageProviderName: 'simple_search', pageSize: null });
    expect(changed.params).toEqual({ b: '3' });
    expect((await ann.get(`${saved}/${id}`).expect(200)).body).toEqual(changed);
    await ann.put(`${saved}/${id}`).send(changed).expect(200);
    for (const faulty of [ofProvider({ title: '' }), ofQuery({ query: 'SELECT' })])
      await ann.put(`${saved}/${id}`).send(faulty).expect(400);
    const { text } = await ann.delete(`${saved}/${id}`).expect(204);
    expect(text).toBe('');
    await ann.get(`${saved}/${id}`).expect(404);
    await ann.delete(`${saved}/${id}`).expect(404);
  });

  test('answer 404 where there is no saved search', async () => {
    const { uid } = await createDocument(server);
    for (const id of [uid, missingId, 'nothing']) {
      const { body: gone } = await server.request.get(`${saved}/${id}`).expect(404);
      expect(gone.message).toContain(id);
      await server.request.put(`${saved}/${id}`).send(ofProvider()).expect(404);
      await server.request.get(`${saved}/${id}/execute`).expect(404);
      await server.request.delete(`${saved}/${id}`).expect(404);
    }
    await server.request.get(`/api/v1/id/${uid}`).expect(200);
  });
});
