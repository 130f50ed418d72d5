import { beforeAll, describe, expect, test } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import { until } from '../support/until.ts';
import type { BrowserPage, Component } from './browser-page.ts';
import { useComponents } from './components.ts';

const opened = useComponents();

const add: BrowserPage['add'] = (name, properties) => opened.page.add(name, properties);

interface Listing {
  entries: Array<{ uid: string; title: string }>;
  resultsCount: number;
  aggregations?: object;
}

const post = (path: string, data: unknown): Promise<{ uid: string; path: string }> =>
  add('resource', { path, data }).post();

beforeAll(async () => {
  const create = (parent: string, type: string, name: string) => {
    const properties = { 'dc:title': `The ${name}`, 'dc:subjects': ['art/cinema'] };
    return post(`/path${parent}`, { 'entity-type': 'document', type, name, properties });
  };
  await create('/default-domain/workspaces', 'Workspace', 'components');
  for (const name of ['first', 'second', 'third'])
    await create('/default-domain/workspaces/components', 'Note', name);
});

const folder = '/default-domain/workspaces/components';

describe('§5 nuxeo-connection', () => {
  test('signs in and returns the user and the version of the product', () => {
    const { user, platformVersion } = opened.connected;
    expect(user).toMatchObject({ id: administrator.username, isAdministrator: true });
    expect(platformVersion).toMatch(/^2023\./);
  });

  test('signs in with a token', async () => {
    const query = 'applicationName=page&deviceId=one&permission=rw';
    const { text: token } = await opened.server.request
      .get(`/nuxeo/authentication/token?${query}`)
      .expect(201);
    const { url } = opened.connection;
    const other = add('connection', { connectionId: 'token', url, method: 'token', token });
    await until(() => other.connected === true);
    expect(other.user).toMatchObject({ id: administrator.username });
  });
});

describe('§4.1 nuxeo-resource and nuxeo-document', () => {
  test('create, read, change and remove a document', async () => {
    const data = {
      'entity-type': 'document',
      type: 'File',
      name: 'kept',
      properties: { 'dc:title': 'Kept' },
    };
    const created: { uid: string } = await add('document', { docPath: folder, data }).post();
    const document = add('document', { docId: created.uid, schemas: 'dublincore', enrichers: 'breadcrumb' });
    expect(await document.get()).toMatchObject({
      type: 'File',
      properties: { 'dc:title': 'Kept' },
      contextParameters: { breadcrumb: { 'entity-type': 'documents' } },
    });
    document.data = { 'entity-type': 'document', uid: created.uid, properties: { 'dc:title': 'Changed' } };
    expect(await document.put()).toMatchObject({ title: 'Changed' });
    await document.remove();
    await expect(document.get()).rejects.toMatchObject({ status: 404 });
  });

  test('reads a vocabulary, and reports the fault of a request', async () => {
    const vocabulary = add('resource', { path: '/directory/continent', params: { pageSize: 3 } });
    expect(((await vocabulary.get()) as Listing).entries).toHaveLength(3);
    const absent = add('resource', { path: '/directory/continent/absent' });
    await expect(absent.get()).rejects.toMatchObject({ status: 404, message: expect.any(String) });
    expect(absent.success).toBe(false);
  });
});

test('§4.7 nuxeo-resource writes and reads threads of comments, as the browser application does', async () => {
  const { uid } = await post(`/path${folder}`, {
    'entity-type': 'document',
    type: 'File',
    name: 'discussed',
  });
  const request = add('resource', {
    path: `/id/${uid}/@comment/`,
    data: { 'entity-type': 'comment', parentId: uid, text: 'Nice' },
    headers: { 'fetch-comment': 'repliesSummary' },
  });
  const made: { id: string } = await request.post();
  expect(made).toMatchObject({
    author: administrator.username,
    numberOfReplies: 0,
    permissions: ['Everything'],
  });
  request.path = `/id/${made.id}/@comment/`;
  request.data = { 'entity-type': 'comment', parentId: made.id, text: 'Thanks' };
  await request.post();
  request.path = `/id/${uid}/@comment/${made.id}`;
  request.data = { 'entity-type': 'comment', text: 'Nice indeed' };
  expect(await request.put()).toMatchObject({ text: 'Nice indeed', numberOfReplies: 1 });
  request.path = `/id/${uid}/@comment/`;
  request.data = { pageSize: 10, currentPageIndex: 0 };
  const listed: { totalSize: number; entries: object[] } = await request.get();
  expect(listed).toMatchObject({ totalSize: 1, entries: [{ id: made.id, text: 'Nice indeed' }] });
  request.path = `/id/${uid}/@comment/${made.id}`;
  await request.remove();
  await expect(request.get()).rejects.toMatchObject({ status: 404 });
});

describe('§4.13 nuxeo-operation', () => {
  test('runs with an input, parameters and enrichers', async () => {
    const operation = add('operation', {
      op: 'Document.GetChild',
      params: { name: 'first' },
      input: folder,
      enrichers: { document: ['acls', 'breadcrumb'] },
    });
    const found: { title: string; contextParameters: object } = await operation.execute();
    expect(found.title).toBe('The first');
    expect(Object.keys(found.contextParameters).sort()).toEqual(['acls', 'breadcrumb']);
  });

  test('runs in the background, and polls its result', async () => {
    const properties = { op: 'Document.Fetch', params: { value: folder }, async: true, pollInterval: 20 };
    expect(await add('operation', properties).execute()).toMatchObject({ title: 'The components' });
  });

  test('runs on all that a page provider finds', async () => {
    const input = add('page-provider', {
      query: "SELECT * FROM Note WHERE dc:title LIKE 'The %'",
      pageSize: 2,
    });
    const found: Listing = await add('operation', { op: 'Repository.Query', params: {}, input }).execute();
    expect(found.entries).toHaveLength(2);
  });

  test('is refused when its name is unknown', async () => {
    const unknown = add('operation', { op: 'Absent.Operation' });
    await expect(unknown.execute()).rejects.toMatchObject({ response: { status: 404 } });
  });
});

describe('§4.7 nuxeo-page-provider', () => {
  const titles = async (provider: Component): Promise<string[]> => {
    const { entries }: Listing = await provider.fetch();
    return entries.map(({ title }) => title);
  };
  const query = "SELECT * FROM Note WHERE ecm:isVersion = 0 AND dc:title LIKE 'The %'";
  const sort = { 'dc:title': 'desc' };

  test.each(['get', 'post'])('queries, sorted, by %s', async (method) => {
    const provider = add('page-provider', { query, sort, method, pageSize: 2 });
    expect(await titles(provider)).toEqual(['The third', 'The second']);
    expect(provider).toMatchObject({ resultsCount: 3, numberOfPages: 2, isNextPageAvailable: true });
    provider.page = 2;
    provider.offset = undefined;
    expect(await titles(provider)).toEqual(['The first']);
  });

  test.each(['get', 'post'])('reads a whole list without a size of pages by %s', async (method) => {
    expect(await titles(add('page-provider', { query, sort, method }))).toHaveLength(3);
  });

  test('counts aggregates, and resolves their keys', async () => {
    const provider = add('page-provider', {
      provider: 'default_search',
      params: { ecm_fulltext: 'The*' },
      pageSize: 5,
      fetchAggregates: true,
    });
    await provider.fetch();
    expect(provider.aggregations).toMatchObject({
      dc_subjects_agg: { buckets: [{ key: 'art/cinema', fetchedKey: { 'entity-type': 'directoryEntry' } }] },
    });
    expect(((await provider.fetch({ skipAggregates: true })) as Listing).aggregations).toBeUndefined();
  });

  test('takes ordered parameters', async () => {
    const { uid }: { uid: string } = await add('document', { docPath: folder }).get();
    const provider = add('page-provider', {
      provider: 'advanced_document_content',
      params: { ecm_parentId: uid },
    });
    expect(await titles(provider)).toEqual(expect.arrayContaining(['The first', 'The second', 'The third']));
  });

  test.each<[string, string, readonly string[]]>([
    ['DOCUMENT_HISTORY_PROVIDER', 'logEntry', ['second']],
    ['EVENTS_VIEW', 'logEntry', []],
    ['nuxeo_principals_listing', 'user', []],
  ])('lists what %s finds', async (name, entity, names) => {
    const documents = names.map((each) => add('document', { docPath: `${folder}/${each}` }).get());
    const queryParams = (await Promise.all(documents)).map(({ uid }) => uid);
    const provider = add('page-provider', { provider: name, params: { queryParams }, pageSize: 1 });
    const { entries }: Listing = await provider.fetch();
    expect(entries).toEqual([expect.objectContaining({ 'entity-type': entity })]);
    expect(provider.resultsCount).toBeGreaterThan(0);
  });
});

describe('§4.10 nuxeo-task-page-provider', () => {
  test('lists the open tasks of the user', async () => {
    const { uid }: { uid: string } = await add('document', { docPath: `${folder}/first` }).get();
    await post(`/id/${uid}/@workflow`, {
      'entity-type': 'workflow',
      workflowModelName: 'ParallelDocumentReview',
    });
    const provider = add('task-page-provider', { params: { userId: administrator.username } });
    const { entries }: { entries: unknown[] } = await provider.fetch();
    expect(entries).toHaveLength(1);
    expect(provider.resultsCount).toBe(1);
    const own = add('page-provider', { provider: 'user_tasks', pageSize: 5 });
    expect(((await own.fetch()) as Listing).entries).toMatchObject([
      { 'entity-type': 'task', state: 'opened' },
    ]);
  });
});

describe('§4.11 nuxeo-audit-page-provider', () => {
  test('lists the log of a document', async () => {
    const { uid }: { uid: string } = await add('document', { docPath: `${folder}/second` }).get();
    const provider = add('audit-page-provider', { docId: uid, pageSize: 10, sort: { eventDate: 'desc' } });
    const { entries }: { entries: Array<{ eventId: string }> } = await provider.fetch();
    expect(entries.map(({ eventId }) => eventId)).toContain('documentCreated');
  });

  test('lists the log of all documents', async () => {
    const provider = add('audit-page-provider', { pageSize: 10, sort: { eventDate: 'desc' } });
    const { entries }: Listing = await provider.fetch();
    expect(entries).toHaveLength(10);
  });
});

describe('§4.7 nuxeo-search', () => {
  test('saves a search, lists, executes and removes it', async () => {
    const data = {
      'entity-type': 'savedSearch',
      title: 'Notes',
      pageProviderName: 'default_search',
      params: { ecm_fulltext: 'third' },
    };
    const { id }: { id: string } = await add('search', { data }).post();
    const list = add('search', { params: { pageProvider: 'default_search' } });
    expect(((await list.get()) as unknown as { entries: unknown[] }).entries).toMatchObject([{ id }]);
    const saved = add('search', { searchId: id });
    expect(await saved.get()).toMatchObject({ title: 'Notes', params: { ecm_fulltext: 'third' } });
    void saved.execute();
    await until(() => Array.isArray(saved.results));
    expect(saved.results).toMatchObject([{ title: 'The third' }]);
    const removed = add('search', { searchId: id });
    await removed.remove();
    await expect(removed.get()).rejects.toMatchObject({ status: 404 });
  });
});
