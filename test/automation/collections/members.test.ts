import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { collecting, uidsOf } from './collecting.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
checkConsistency(server);

const { run, read, some, collection, add, membersOf } = collecting(server);

const eventsOf = async (docUuid: string): Promise<string[]> => {
  const rows = await server.database.prisma.logEntry.findMany({ where: { docUuid }, orderBy: { id: 'asc' } });
  return rows.map(({ eventId, extended }) => `${eventId} ${JSON.stringify(extended)}`);
};

describe('Document.AddToCollection', () => {
  test('appends the document, and both ends present the membership', async () => {
    const into = await collection();
    const [one, two] = await some(2);
    await add(two?.uid, into).expect(200);
    const { body } = await run('Collection.AddToCollection', one?.path, { collection: into.path }).expect(
      200,
    );
    expect(body).toMatchObject({
      uid: one?.uid,
      changeToken: '1-0',
      properties: { 'collectionMember:collectionIds': [into.uid] },
    });
    expect(body.facets).toContain('CollectionMember');
    expect(await read(into.uid)).toMatchObject({
      changeToken: '2-0',
      properties: { 'collection:documentIds': [two?.uid, one?.uid] },
    });
    expect(await membersOf(into)).toEqual([two?.uid, one?.uid]);
    expect((await read(one?.uid ?? '')).properties['dc:modified']).toBe(one?.properties['dc:modified']);
    expect((await eventsOf(one?.uid ?? '')).slice(1)).toEqual([
      `addedToCollection {"collection":"${into.uid}"}`,
    ]);
  });

  test('adds a list of fifty documents at the cost of one', async () => {
    const [into, documents] = [await collection(), await some(50)];
    const uids = documents.map(({ uid }) => uid);
    const one = await add([uids[0]], into).expect(200);
    const all = await add([...uids, uids[0]], into).expect(200);
    expect(uidsOf(all.body)).toEqual([...uids, uids[0]]);
    expect(statements(all)).toBe(statements(one));
    expect(await membersOf(into)).toEqual(uids);
    expect((await read(uids[0] ?? '')).changeToken).toBe('1-0'); // it was a member already
    const gone = await run('Collection.RemoveFromCollection', uids, { collection: into.uid }).expect(200);
    expect(statements(gone)).toBe(statements(one));
    expect(await membersOf(into)).toEqual([]);
  });

  test('refuses a collection that another user has locked, and accepts a locked document', async () => {
    const [into, document] = [await collection(), await createDocument(server)];
    await setAcl(server, into.path, [grant('bob', 'ReadWrite')]);
    await run('Document.Lock', document.uid).expect(200);
    await add(document.uid, into, bob).expect(200);
    await run('Document.Lock', into.uid).expect(200);
    const { body } = await add(document.uid, into, bob).expect(403);
    expect(body.message).toBe(`The document at ${into.path} is locked by 'Administrator'.`);
  });

  test('refuses a list with an unsuitable or missing document as a whole', async () => {
    const [into, document] = [await collection(), await createDocument(server)];
    for (const path of ['/', '/default-domain', into.path]) {
      const { body } = await add([document.uid, path], into).expect(400);
      expect(body.message).toMatch(/^Documents of type \w+ cannot be in a collection\.$/);
    }
    await add([document.uid, '/nosuch'], into).expect(404);
    await run('Document.AddToCollection', document.uid, { collection: ' ' }).expect(400);
    expect(await membersOf(into)).toEqual([]);
  });

  test('adds every document of concurrent calls, in any order', async () => {
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
  test('answers with the document and changes both ends once', async () => {
    const [into, document] = [await collection(), await createDocument(server)];
    await add(document.uid, into).expect(200);
    const params = { collection: into.uid };
    const { body } = await run('Document.RemoveFromCollection', document.uid, params).expect(200);
    expect(body).toMatchObject({
      uid: document.uid,
      changeToken: '2-0',
      properties: { 'collectionMember:collectionIds': [] },
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
  test('answers with pages of the members in their order, without trashed ones', async () => {
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
      'entity-type': 'documents',
      resultsCount: 4,
      pageSize: 2,
      numberOfPages: 2,
      isSortable: false,
    });
    expect(uidsOf(body)).toEqual(uids.slice(3));
    const beyond = await get({ pageSize: 2, currentPageIndex: 9 }).expect(200);
    expect(beyond.body).toMatchObject({ entries: [], resultsCount: 4 });
    expect(statements(await get({ pageSize: 1 }))).toBe(statements(await get()));
  });

  test('needs Read on the collection and omits unreadable members', async () => {
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

  test('refuses documents that are no collections, and invalid pages', async () => {
    await run('Collection.GetDocumentsFromCollection', '/default-domain').expect(400);
    await run('Collection.GetDocumentsFromCollection', '/nosuch').expect(404);
    await run('Collection.GetDocumentsFromCollection', (await collection()).uid, { pageSize: -2 }).expect(
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

  test('moves a member behind another or to the front and returns whether the order changed', async () => {
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

  test('answers false for documents that are no members, and accepts paths', async () => {
    const { into, uids } = await filled(2);
    const other = await createDocument(server);
    for (const params of [{ member1: other.uid }, { member1: uids[0], member2: other.path }]) {
      const { body } = await run('Collection.MoveMember', into.path, params).expect(200);
      expect(body.value).toBe(false);
    }
    expect(await membersOf(into)).toEqual(uids);
  });
});
