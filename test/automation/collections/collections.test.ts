import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { collecting } from './collecting.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
checkConsistency(server);

const { run } = collecting(server);

describe('Collection.Create', () => {
  test('creates a collection in the user workspace of the caller', async () => {
    const params = { name: 'To read', description: 'some day' };
    const { body } = await call(bob, 'Collection.Create', { params }).expect(200);
    expect(body).toMatchObject({
      type: 'Collection',
      title: 'To read',
      path: '/default-domain/UserWorkspaces/bob/Collections/To read',
      properties: { 'dc:description': 'some day', 'dc:creator': 'bob', 'collection:documentIds': [] },
    });
    const again = await call(bob, 'Collection.CreateCollection', { params: { name: 'To read' } }).expect(200);
    expect(again.body.path).toMatch(/\/Collections\/To read\.\d+$/);
  });

  test('creates a collection in the input document', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { body } = await run('Collection.Create', folder.path, { name: 'a/b' }).expect(200);
    expect(body).toMatchObject({ path: `${folder.path}/a-b`, title: 'a/b', parentRef: folder.uid });
  });

  test.each<[string, (folder: DocumentEntity) => object]>([
    ['a list', ({ path }) => ({ input: [path] })],
    ['docs:', ({ uid }) => ({ input: `docs:${uid}` })],
    ['a documents entity', (entry) => ({ input: { 'entity-type': 'documents', entries: [entry] } })],
  ])('creates a collection in each document of %s (§4.7)', async (_, given) => {
    const folder = await createDocument(server, { type: 'Folder' });
    const params = { name: 'k' };
    const { body } = await call(bob, 'Collection.Create', { ...given(folder), params }).expect(403);
    expect(body['entity-type']).toBe('exception');
    const made = await call(server.request, 'Collection.Create', { ...given(folder), params }).expect(200);
    expect(made.body).toMatchObject({
      'entity-type': 'documents',
      entries: [{ path: `${folder.path}/k`, parentRef: folder.uid }],
    });
  });

  test('creates a collection in each document of a page (§4.7)', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const below = await createDocument(server, { type: 'Folder', parent: folder.path });
    const { body } = await server.request
      .post(`/api/v1/path${folder.path}/@children/@op/Collection.Create`)
      .send({ params: { name: 'k' } })
      .expect(200);
    expect(body.entries).toMatchObject([{ path: `${below.path}/k` }]);
  });

  test('drops no input of another kind (§4.7)', async () => {
    const { body: batch } = await server.request.post('/api/v1/upload').expect(201);
    const file = `/api/v1/upload/${batch.batchId}/0`;
    await server.request.post(file).set('X-File-Name', 'a.txt').send('text').expect(201);
    const { body } = await server.request
      .post(`${file}/execute/Collection.Create`)
      .send({ params: { name: 'k' } })
      .expect(400);
    expect(body.message).toBe('input: Collection.Create accepts document or void, not bloblist.');
  });
});

describe('Collection.Suggestion', () => {
  const suggest = async (params: object, who = server.request) =>
    (await call(who, 'Collection.Suggestion', { params: { ...params } }).expect(200)).body;

  test('answers with collections whose title starts with the term, after a proposed new one', async () => {
    const make = (name: string, more = {}) =>
      createDocument(server, { type: 'Collection', name, properties: { 'dc:title': name, ...more } });
    const lower = await make('sugg_b', { 'common:icon': '/icons/b.png' });
    const upper = await make('SUGG_A');
    await make('suggXc');
    await createDocument(server, { type: 'File', name: 'sugg_file' });
    const shown = [
      { id: upper.uid, displayLabel: 'SUGG_A', path: upper.path, icon: '/icons/collection.svg' },
      { id: lower.uid, displayLabel: 'sugg_b', path: lower.path, icon: '/icons/b.png' },
    ];
    expect(await suggest({ searchTerm: 'Sugg_' })).toEqual([
      { id: '-999999Sugg_', displayLabel: 'Sugg_' },
      ...shown,
    ]);
    expect(await suggest({ searchTerm: 'sugg_b' })).toEqual(shown.slice(1));
    expect(await suggest({ searchTerm: 'sugg_', pageSize: 1 })).toHaveLength(2);
    expect(await suggest({ searchTerm: 'sugg%' })).toEqual([{ id: '-999999sugg%', displayLabel: 'sugg%' }]);
    expect((await suggest({})).map(({ id }: { id: string }) => id)).toContain(upper.uid);
  });

  test('needs Read on each collection that it answers with', async () => {
    const hidden = await createDocument(server, { type: 'Collection', name: 'secret one' });
    await setAcl(server, hidden.path, [deny('Everyone', 'Everything')]);
    expect(await suggest({ searchTerm: 'secret one' })).toHaveLength(1);
    expect(await suggest({ searchTerm: 'secret one' }, bob)).toEqual([
      { id: '-999999secret one', displayLabel: 'secret one' },
    ]);
  });

  test('refuses a pageSize that is no number', async () => {
    await run('Collection.Suggestion', null, { pageSize: 'many' }).expect(400);
  });
});

describe('User.GetCollections', () => {
  test('answers with pages of collections by title, without favorites and trashed ones', async () => {
    const names = ['mine c', 'Mine a', 'mine b'];
    for (const name of names) await createDocument(server, { type: 'Collection', name });
    await createDocument(server, { type: 'Favorites', name: 'mine d' });
    const { uid } = await createDocument(server, { type: 'Collection', name: 'mine e' });
    await server.database.prisma.document.updateMany({ where: { id: uid }, data: { isTrashed: true } });
    const get = async (params: Record<string, unknown>) =>
      (await run('User.GetCollections', null, { searchTerm: 'MINE', ...params }).expect(200)).body;
    const all = await get({});
    expect(all.resultsCount).toBe(3);
    expect(all.entries.map(({ title }: DocumentEntity) => title)).toEqual(['Mine a', 'mine b', 'mine c']);
    const page = await get({ pageSize: 2, currentPageIndex: 1 });
    expect(page.entries.map(({ title }: DocumentEntity) => title)).toEqual(['mine c']);
    const { body } = await run('Collection.GetCollections', null, { searchTerm: 'nosuch' }).expect(200);
    expect(body).toMatchObject({ entries: [], resultsCount: 0 });
  });

  test('needs Read on each collection that it answers with', async () => {
    const { path } = await createDocument(server, { type: 'Collection', name: 'closed' });
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    const params = { searchTerm: 'closed' };
    expect((await call(bob, 'User.GetCollections', { params })).body.resultsCount).toBe(0);
    expect((await call(server.request, 'User.GetCollections', { params })).body.resultsCount).toBe(1);
  });

  test('refuses a negative page index', async () => {
    await run('User.GetCollections', null, { currentPageIndex: -1 }).expect(400);
  });
});
