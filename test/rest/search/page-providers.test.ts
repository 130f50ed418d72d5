import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadModel } from '../../../src/model/contributed/contributed.ts';
import { only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { list } from './search-requests.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
let folder: DocumentEntity;
beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder', properties: { 'dc:title': 'Folder' } });
  for (const name of ['c', 'a', 'b'])
    await createDocument(server, { parent: folder.path, name, properties: { 'dc:title': `title ${name}` } });
  await createDocument(server, { parent: folder.path, type: 'Folder', name: 'inner' });
});

const model = await loadModel(undefined);

/** The parameters of the page providers that require some. */
const positional: Readonly<Record<string, (folder: DocumentEntity) => string>> = {
  CURRENT_DOC_CHILDREN: ({ uid }) => uid,
  document_content: ({ uid }) => uid,
  section_content: ({ uid }) => uid,
  document_trash_content: ({ uid }) => uid,
  orderable_document_content: ({ uid }) => uid,
  tree_children: ({ uid }) => uid,
  default_content_collection: ({ uid }) => uid,
  ordered_content_collection: ({ uid }) => uid,
  GET_COMMENTS_FOR_DOCUMENT: ({ uid }) => uid,
  GET_COMMENTS_FOR_DOCUMENT_BY_ECM_PARENT: ({ uid }) => uid,
  GET_ANNOTATIONS_FOR_DOCUMENT: ({ uid }) => uid,
  GET_ANNOTATIONS_FOR_DOCUMENT_BY_ECM_PARENT: ({ uid }) => uid,
  GET_EXTERNAL_COMMENT_BY_ECM_ANCESTOR: ({ uid }) => `${uid},E`,
  domain_documents: () => '/default-domain',
  nxql_search: () => "SELECT * FROM Document WHERE ecm:primaryType IN ('File', 'Note') ORDER BY dc:title",
  REST_API_SEARCH_ADAPTER: () => 'SELECT * FROM Document',
};

describe('§4.7 every stock page provider', () => {
  test.each([...model.pageProviders.keys()])(
    '%s lists documents for administrators and other users',
    async (name) => {
      const queryParams = positional[name]?.(folder) ?? '';
      for (const agent of [server.request, ann]) {
        const { body } = await list(agent, name, { queryParams }).expect(200);
        const { pageSize = 50, aggregates = [], quickFilters } = model.pageProviders.get(name) ?? {};
        expect(body).toMatchObject({
          'entity-type': 'documents',
          isPaginable: true,
          pageSize,
          maxPageSize: 1000,
          resultsCount: expect.any(Number),
          entries: expect.any(Array),
        });
        expect(Object.keys(body.aggregations ?? {})).toEqual(aggregates.map(({ id }) => id));
        expect(body.quickFilters?.length).toBe(quickFilters?.length);
      }
    },
  );

  test.each(Object.keys(positional))('%s answers 400 without its positional parameters', async (name) => {
    const { body } = await list(ann, name).expect(400);
    expect(body.message).toContain('queryParams: ');
    expect(body.message).toContain(name);
  });

  test.each([...model.pageProviders.keys()])('%s is described at /search/pp/NAME', async (name) => {
    const { body } = await ann.get(`/api/v1/search/pp/${name}`).expect(200);
    const { query, predicates = [], aggregates = [] } = model.pageProviders.get(name) ?? {};
    expect(body).toMatchObject({ 'entity-type': 'pageProvider', name, query, predicates, aggregates });
  });
});

describe('§4.7 a page provider', () => {
  test.each([
    '/search/lang/pp/document_content',
    '/search/pp/document_content/execute',
    '/query/document_content',
  ])('is available at %s', async (address) => {
    const answer = await ann.get(`/api/v1${address}`).query({ queryParams: folder.uid }).expect(200);
    expect(namesIn(answer)).toEqual(['inner', 'a', 'b', 'c']);
    expect(answer.body).not.toHaveProperty('aggregations');
    expect(answer.body).not.toHaveProperty('quickFilters');
  });

  test.each(['', '/execute'])('answers 404 with its name when unknown, at /search/pp/NAME%s', async (end) => {
    const { body } = await ann.get(`/api/v1/search/pp/no_search${end}`).expect(404);
    expect(body.message).toBe(
      'Page provider: no_search does not exist. Did you mean nxql_search? GET /api/v1/search/lang/pp lists the page providers.',
    );
  });

  test.each(['/search/lang/pp', '/search/pp'])('is listed at %s, as it is described', async (address) => {
    const { body } = await ann.get(`/api/v1${address}`).expect(200);
    expect(body['entity-type']).toBe('pageProviders');
    const listed: Array<{ name: string }> = body.entries;
    const names = listed.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toEqual(expect.arrayContaining(['default_search', 'document_content', 'user_tasks']));
    const { body: described } = await ann.get('/api/v1/search/pp/default_search').expect(200);
    expect(listed.find(({ name }) => name === 'default_search')).toEqual(described);
  });

  test.each(['constructor', '__proto__', 'toString'])('answers 404 for the name %s', async (name) => {
    await list(ann, name).expect(404);
  });

  test.each(['nosuch', 'constructor', '__proto__'])('ignores a parameter called %s', async (name) => {
    const address = `/api/v1/search/pp/document_content/execute?queryParams=${folder.uid}&${name}=x`;
    expect(namesIn(await ann.get(address).expect(200))).toEqual(['inner', 'a', 'b', 'c']);
  });

  test.each(['path', 'id'])('uses the document of the URL as its parameter, by %s', async (by) => {
    const at = by === 'id' ? `/id/${folder.uid}` : `/path${folder.path}`;
    const answer = await ann.get(`/api/v1${at}/@pp/document_content?pageSize=2`).expect(200);
    expect(namesIn(answer)).toEqual(['inner', 'a']);
    expect(answer.body).toMatchObject({ resultsCount: 4, numberOfPages: 2, isNextPageAvailable: true });
    await ann.get(`/api/v1${at}/@pp/no_search`).expect(404);
  });

  test('answers 404 on a missing document and 403 on one without Read permission', async () => {
    await ann.get('/api/v1/path/nowhere/@pp/document_content').expect(404);
    const closed = await createDocument(server, { type: 'Folder' });
    await setAcl(server, closed.path, only('Administrator', 'Everything'));
    await ann.get(`/api/v1/id/${closed.uid}/@pp/document_content`).expect(403);
  });

  test.each([
    ['pageSize=2', ['inner', 'a'], { pageSize: 2, currentPageIndex: 0, isNextPageAvailable: true }],
    ['pageSize=2&currentPageIndex=1', ['b', 'c'], { pageSize: 2, currentPageIndex: 1 }],
    ['pageSize=2&currentPageIndex=7', [], { currentPageIndex: 7, resultsCount: 4 }],
    ['offset=3', ['c'], { currentPageOffset: 3 }],
    ['maxResults=2', ['inner', 'a'], { resultsCount: 2 }],
    ['pageSize=0', ['inner', 'a', 'b', 'c'], { pageSize: 0, numberOfPages: 1 }],
    ['pageSize=5000', ['inner', 'a', 'b', 'c'], { pageSize: 1000 }],
    ['sortBy=dc:title&sortOrder=desc', ['c', 'b', 'a', 'inner'], { isSortable: true }],
    ['sortBy=ecm:primaryType,ecm:name&sortOrder=desc,asc', ['inner', 'a', 'b', 'c'], {}],
  ])('is paged and sorted by %s', async (query, names, page) => {
    const answer = await ann.get(`/api/v1/id/${folder.uid}/@pp/document_content?${query}`).expect(200);
    expect(namesIn(answer)).toEqual(names);
    expect(answer.body).toMatchObject(page);
  });

  test.each([
    'pageSize=-2',
    'pageSize=x',
    'currentPageIndex=-1',
    'offset=1.5',
    'sortBy=dc:nothing',
    'sortBy=dc:subjects',
  ])('answers 400 naming the parameter for %s', async (query) => {
    const { body } = await ann.get(`/api/v1/id/${folder.uid}/@pp/document_content?${query}`).expect(400);
    expect(body.message).toContain(query.replace(/^sortBy=|=.*$/g, ''));
  });

  test('ignores sortBy when it is not sortable', async () => {
    const answer = await ann
      .get(`/api/v1/id/${folder.uid}/@pp/orderable_document_content?sortBy=dc:title&sortOrder=desc`)
      .expect(200);
    expect(answer.body.isSortable).toBe(false);
    expect(namesIn(answer)).not.toEqual(['c', 'b', 'a', 'inner']);
  });

  test('supports the headers of documents', async () => {
    const { body } = await ann
      .get(`/api/v1/id/${folder.uid}/@pp/document_content`)
      .set({ properties: 'dublincore', 'enrichers.document': 'breadcrumb', 'fetch.document': 'dc:creator' })
      .expect(200);
    const [first] = body.entries;
    expect(Object.keys(first.properties).every((name) => name.startsWith('dc:'))).toBe(true);
    expect(first.properties['dc:creator']).toMatchObject({ 'entity-type': 'user', id: 'Administrator' });
    expect(first.contextParameters.breadcrumb.entries.length).toBeGreaterThan(0);
  });

  test('costs the same number of SQL statements for many documents as for one', async () => {
    const headers = { 'enrichers.document': 'acls,breadcrumb,permissions', 'fetch.document': 'properties' };
    const cost = async (pageSize: number) => {
      const given = { pageSize, highlight: 'dc:title', ecm_fulltext: 'title' };
      await list(ann, 'default_search', given, headers).expect(200);
      return statements(await list(ann, 'default_search', given, headers).expect(200));
    };
    expect(await cost(3)).toBe(await cost(1));
  });
});

describe('§4.7 quick filters', () => {
  const active = ({ body }: { body: { quickFilters: Array<{ name: string; active: boolean }> } }) =>
    body.quickFilters.filter((filter) => filter.active).map(({ name }) => name);

  test('are listed as inactive by default', async () => {
    const { body } = await list(ann, 'default_search').expect(200);
    expect(body.quickFilters).toEqual([
      { name: 'noFolder', active: false },
      { name: 'mostRecent', active: false },
      { name: 'onlyValidated', active: false },
    ]);
  });

  test('restrict and sort the results', async () => {
    const given = { ecm_path: folder.path };
    expect(namesIn(await list(ann, 'default_search', given)).sort()).toEqual(['a', 'b', 'c', 'inner']);
    const answer = await list(ann, 'default_search', {
      ...given,
      quickFilters: 'noFolder,mostRecent',
    }).expect(200);
    expect(namesIn(answer)).toEqual(['b', 'a', 'c']);
    expect(active(answer)).toEqual(['noFolder', 'mostRecent']);
    const validated = await list(ann, 'default_search', { ...given, quickFilters: 'onlyValidated' }).expect(
      200,
    );
    expect(namesIn(validated)).toEqual([]);
  });

  test('do not override the sort order of the request', async () => {
    const given = {
      ecm_path: folder.path,
      quickFilters: 'mostRecent,noFolder',
      sortBy: 'dc:title',
      sortOrder: 'asc',
    };
    expect(namesIn(await list(ann, 'default_search', given).expect(200))).toEqual(['a', 'b', 'c']);
  });

  test.each(['noFolders', 'noFolder,x', 'constructor'])(
    'answer 400 for the unknown name %s',
    async (quickFilters) => {
      const { body } = await list(ann, 'default_search', { quickFilters }).expect(400);
      expect(body.message).toMatch(/^quickFilters: .*noFolder, mostRecent, onlyValidated$/);
    },
  );
});
