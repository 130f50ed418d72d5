import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../support/acls.ts';
import { consistently } from '../support/consistently.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { statements, type TestServer } from '../support/server.ts';
import { call } from './calls.ts';
import { collecting, uidsOf } from './collecting.ts';

let server: TestServer;
let bob: TestServer['request'];
consistently(
  (started) => {
    ({ server, bob } = started);
  },
  { groups: ['members'] },
);

const { run, read, some, collection, add, membersOf } = collecting(() => server);

const eventsOf = async (docUuid: string): Promise<string[]> => {
  const rows = await server.database.prisma.logEntry.findMany({ where: { docUuid }, orderBy: { id: 'asc' } });
  return rows.map(({ eventId, extended }) => `${eventId} ${JSON.stringify(extended)}`);
};

describe('Collection.Create', () => {
  test('answers a new collection among the caller’s own', async () => {
    const params = { name: 'To read', description: 'some day' };
    const { body } = await call(bob, 'Collection.Create', { params }).expect(200);
    expect(body).toMatchObject({
      ...{
        type: 'Collection',
        title: 'To read',
        path: '/default-domain/UserWorkspaces/bob/Collections/To read',
      },
      properties: { 'dc:description': 'some day', 'dc:creator': 'bob', 'collection:documentIds': [] },
    });
    const again = await call(bob, 'Collection.CreateCollection', { params: { name: 'To read' } }).expect(200);
    expect(again.body.path).toMatch(/\/Collections\/To read\.\d+$/);
  });

  test('answers a new collection in the input', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { body } = await run('Collection.Create', folder.path, { name: 'a/b' }).expect(200);
    expect(body).toMatchObject({ path: `${folder.path}/a-b`, title: 'a/b', parentRef: folder.uid });
  });
});

describe('Document.AddToCollection', () => {
  test('answers the document, which is behind the others then; both ends tell', async () => {
    const into = await collection();
    const [one, two] = await some(2);
    await add(two?.uid, into).expect(200);
    const { body } = await run('Collection.AddToCollection', one?.path, { collection: into.path }).expect(
      200,
    );
    expect(body).toMatchObject({
      ...{ uid: one?.uid, changeToken: '1-0', properties: { 'collectionMember:collectionIds': [into.uid] } },
    });
    expect(body.facets).toContain('CollectionMember');
    expect(await read(into.uid)).toMatchObject({
      ...{ changeToken: '2-0', properties: { 'collection:documentIds': [two?.uid, one?.uid] } },
    });
    expect(await membersOf(into)).toEqual([two?.uid, one?.uid]);
    expect((await read(one?.uid ?? '')).properties['dc:modified']).toBe(one?.properties['dc:modified']);
    expect((await eventsOf(one?.uid ?? '')).slice(1)).toEqual([
      `addedToCollection {"collection":"${into.uid}"}`,
    ]);
  });

  test('answers every document of a list, at the same cost for fifty as for one', async () => {
    const [into, documents] = [await collection(), await some(50)];
    const uids = documents.map(({ uid }) => uid);
    const one = await add([uids[0]], into).expect(200);
    const all = await add([...uids, uids[0]], into).expect(200);
    expect(uidsOf(all.body)).toEqual([...uids, uids[0]]);
    expect(statements(all)).toBe(statements(one));
    expect(await membersOf(into)).toEqual(uids);
    expect((await read(uids[0] ?? '')).changeToken).toBe('1-0'); // it was in already
    const gone = await run('Collection.RemoveFromCollection', uids, { collection: into.uid }).expect(200);
    expect(statements(gone)).toBe(statements(one));
    expect(await membersOf(into)).toEqual([]);
  });

  test('needs a collection that nobody else has locked; the document may be', async () => {
    const [into, document] = [await collection(), await createDocument(server)];
    await setAcl(server, into.path, [grant('bob', 'ReadWrite')]);
    await run('Document.Lock', document.uid).expect(200);
    await add(document.uid, into, bob).expect(200);
    await run('Document.Lock', into.uid).expect(200);
    const { body } = await add(document.uid, into, bob).expect(403);
    expect(body.message).toBe("the document is locked by 'Administrator'");
  });

  test('refuses what cannot be in a collection, and what is not there, with nothing done', async () => {
    const [into, document] = [await collection(), await createDocument(server)];
    for (const path of ['/', '/default-domain', into.path]) {
      const { body } = await add([document.uid, path], into).expect(400);
      expect(body.message).toMatch(/^a document of type \w+ cannot be in a collection$/);
    }
    await add([document.uid, '/nosuch'], into).expect(404);
    await run('Document.AddToCollection', document.uid, { collection: ' ' }).expect(400);
    expect(await membersOf(into)).toEqual([]);
  });

  test('at once by many, in any order: every document is in', async () => {
    const [into, other, documents] = [await collection(), await collection(), await some(12)];
    const uids = documents.map(({ uid }) => uid);
    await Promise.all(
      uids.flatMap((uid, index) => [
        add(index % 2 ? [uid, uids[0]] : [uids[0], uid], into).expect(200),
        add([...uids].reverse(), other).expect(200),
      ]),
    );
    expect((await membersOf(into)).sort()).toEqual([...uids].sort());
    expect(await membersOf(other)).toEqual([...uids].reverse());
    const positions = await server.database.prisma.collectionMember.findMany({
      where: { collectionId: into.uid },
    });
    expect(new Set(positions.map(({ position }) => position)).size).toBe(12);
  });
});

describe('Collection.RemoveFromCollection', () => {
  test('answers the document; both ends tell, once', async () => {
    const [into, document] = [await collection(), await createDocument(server)];
    await add(document.uid, into).expect(200);
    const params = { collection: into.uid };
    const { body } = await run('Document.RemoveFromCollection', document.uid, params).expect(200);
    expect(body).toMatchObject({
      ...{ uid: document.uid, changeToken: '2-0', properties: { 'collectionMember:collectionIds': [] } },
    });
    await run('Collection.RemoveFromCollection', document.uid, params).expect(200);
    expect((await read(into.uid)).changeToken).toBe('2-0');
    expect(await membersOf(into)).toEqual([]);
    expect((await eventsOf(document.uid)).slice(2)).toEqual([
      `removedFromCollection {"collection":"${into.uid}"}`,
    ]);
  });
});

describe('Collection.GetDocumentsFromCollection', () => {
  test('answers pages of the members in their order, without trashed ones', async () => {
    const [into, documents] = [await collection(), await some(5)];
    const uids = documents.map(({ uid }) => uid).reverse();
    await add(uids, into).expect(200);
    await server.database.prisma.document.updateMany({
      where: { id: uids[1] ?? '' },
      data: { isTrashed: true },
    });
    const get = (params = {}) => run('Collection.GetDocumentsFromCollection', into.uid, params);
    const { body } = await get({ pageSize: 2, currentPageIndex: 1 }).expect(200);
    expect(body).toMatchObject({
      ...{ 'entity-type': 'documents', resultsCount: 4, pageSize: 2, numberOfPages: 2, isSortable: false },
    });
    expect(uidsOf(body)).toEqual(uids.slice(3));
    const beyond = await get({ pageSize: 2, currentPageIndex: 9 }).expect(200);
    expect(beyond.body).toMatchObject({ entries: [], resultsCount: 4 });
    expect(statements(await get({ pageSize: 1 }))).toBe(statements(await get()));
  });

  test('needs Read on the collection, and shows nothing that one may not read', async () => {
    const [into, documents] = [await collection(), await some(3)];
    await add(
      documents.map(({ uid }) => uid),
      into,
    ).expect(200);
    await setAcl(server, documents[1]?.path ?? '', [deny('Everyone', 'Everything')]);
    expect(await membersOf(into, bob)).toEqual([documents[0]?.uid, documents[2]?.uid]);
    await setAcl(server, into.path, [deny('Everyone', 'Everything')]);
    await call(bob, 'Collection.GetDocumentsFromCollection', { input: into.uid }).expect(403);
  });

  test('refuses what is no collection, and bad pages', async () => {
    await run('Collection.GetDocumentsFromCollection', '/default-domain').expect(400);
    await run('Collection.GetDocumentsFromCollection', '/nosuch').expect(404);
    await run('Collection.GetDocumentsFromCollection', (await collection()).uid, { pageSize: -1 }).expect(
      400,
    );
  });
});

describe('Document.MoveCollectionMember', () => {
  async function filled(size: number): Promise<{ into: DocumentEntity; uids: string[] }> {
    const [into, documents] = [await collection(), await some(size)];
    const uids = documents.map(({ uid }) => uid);
    await add(uids, into).expect(200);
    return { into, uids };
  }

  test('answers whether something is elsewhere now; like moving in a list', async () => {
    const { into, uids } = await filled(5);
    await run('Collection.RemoveFromCollection', uids[3], { collection: into.uid }).expect(200);
    const order = uids.filter((_, index) => index !== 3);
    for (const member1 of [...order].reverse()) {
      for (const member2 of [undefined, ...order]) {
        const wanted = order.filter((uid) => uid !== member1);
        if (member1 === member2) wanted.splice(order.indexOf(member1), 0, member1);
        else wanted.splice(member2 === undefined ? 0 : wanted.indexOf(member2) + 1, 0, member1);
        const { body } = await run('Document.MoveCollectionMember', into.uid, { member1, member2 }).expect(
          200,
        );
        expect(body).toEqual({ 'entity-type': 'boolean', value: wanted.join() !== order.join() });
        expect(await membersOf(into)).toEqual(wanted);
        order.splice(0, order.length, ...wanted);
      }
    }
  });

  test('answers false for what is no member; a path names one too', async () => {
    const { into, uids } = await filled(2);
    const other = await createDocument(server);
    for (const params of [{ member1: other.uid }, { member1: uids[0], member2: other.path }]) {
      const { body } = await run('Collection.MoveMember', into.path, params).expect(200);
      expect(body.value).toBe(false);
    }
    expect(await membersOf(into)).toEqual(uids);
  });
});

describe('Collection.Suggestion', () => {
  const suggest = async (params: object, who = server.request) =>
    (await call(who, 'Collection.Suggestion', { params: { ...params } }).expect(200)).body;

  test('answers collections by title in any case, and first one that could be made', async () => {
    const make = (name: string, more = {}) =>
      createDocument(server, { type: 'Collection', name, properties: { 'dc:title': name, ...more } });
    const lower = await make('sugg_b', { 'common:icon': '/icons/b.png' });
    const upper = await make('SUGG_A');
    await make('suggXc');
    await createDocument(server, { type: 'File', name: 'sugg_file' });
    const shown = [
      { id: upper.uid, displayLabel: 'SUGG_A', path: upper.path },
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

  test('needs Read on what it answers', async () => {
    const hidden = await createDocument(server, { type: 'Collection', name: 'secret one' });
    await setAcl(server, hidden.path, [deny('Everyone', 'Everything')]);
    expect(await suggest({ searchTerm: 'secret one' })).toHaveLength(1);
    expect(await suggest({ searchTerm: 'secret one' }, bob)).toEqual([
      { id: '-999999secret one', displayLabel: 'secret one' },
    ]);
  });

  test('refuses a size that is no number', async () => {
    await run('Collection.Suggestion', null, { pageSize: 'many' }).expect(400);
  });
});

describe('User.GetCollections', () => {
  test('answers pages of collections by title; favorites and trashed ones are none', async () => {
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

  test('needs Read on what it answers', async () => {
    const { path } = await createDocument(server, { type: 'Collection', name: 'closed' });
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    const params = { searchTerm: 'closed' };
    expect((await call(bob, 'User.GetCollections', { params })).body.resultsCount).toBe(0);
    expect((await call(server.request, 'User.GetCollections', { params })).body.resultsCount).toBe(1);
  });

  test('refuses bad pages', async () => {
    await run('User.GetCollections', null, { currentPageIndex: -1 }).expect(400);
  });
});
