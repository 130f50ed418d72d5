import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { collecting } from '../../automation/collections/collecting.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
checkConsistency(server);

const { run, read, collection, add } = collecting(server);

describe('collectionMember:collectionIds', () => {
  const shownTo = async (who: TestServer['request'], uid: string) =>
    (await read(uid, who)).properties['collectionMember:collectionIds'];
  const nobody = [deny('Everyone', 'Everything')];

  /** Creates a document in a collection that bob may read and in one that bob may not. */
  async function member() {
    const [document, open, shut] = [await createDocument(server), await collection(), await collection()];
    await setAcl(server, document.path, [grant('bob', 'Everything')]);
    await setAcl(server, shut.path, nobody);
    for (const into of [open, shut]) await add(document.uid, into).expect(200);
    return { document, open, shut, both: [open.uid, shut.uid].sort() };
  }

  test('has the collections that the caller may read; an administrator gets all', async () => {
    const { document, open, both } = await member();
    await call(server.request, 'Document.AddToFavorites', { input: document.uid }).expect(200);
    expect(await shownTo(bob, document.uid)).toEqual([open.uid]);
    expect(await shownTo(server.request, document.uid)).toEqual(expect.arrayContaining(both));
    expect(await shownTo(server.request, document.uid)).toHaveLength(3);
    const got = await bob
      .get(`/api/v1/id/${document.uid}`)
      .set('fetch.document', 'collectionMember:collectionIds')
      .expect(200);
    const fetched = got.body.properties['collectionMember:collectionIds'] as DocumentEntity[];
    expect(fetched.map(({ uid }) => uid)).toEqual([open.uid]);
    await call(bob, 'Document.AddToFavorites', { input: document.uid }).expect(200);
    expect(await shownTo(bob, document.uid)).toHaveLength(2);
  });

  test('a page costs as many statements as one document, for users as for administrators', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const [open, shut] = [await collection(), await collection()];
    await setAcl(server, shut.path, nobody);
    const children = (who: TestServer['request']) =>
      who.get(`/api/v1/id/${folder.uid}/@children`).expect(200);
    const put = async () => {
      const { uid } = await createDocument(server, { parent: folder.path });
      for (const into of [open, shut]) await add(uid, into).expect(200);
    };
    await put();
    const one = await children(bob);
    for (let index = 0; index < 5; index += 1) await put();
    const all = await children(bob);
    expect(all.body.entries).toHaveLength(6);
    for (const { properties } of all.body.entries)
      expect(properties['collectionMember:collectionIds']).toEqual([open.uid]);
    expect(statements(all)).toBe(statements(one));
    expect(statements(all)).toBe(statements(await children(server.request)));
  });

  test('an update with the ids that the caller can read keeps the hidden ones', async () => {
    const { document, open, both } = await member();
    const put = (ids: unknown) =>
      updateDocument(bob, document.uid, { 'dc:title': 'by bob', 'collectionMember:collectionIds': ids });
    for (const ids of [both, [], null]) await put(ids).expect(400);
    const { body } = await put([open.uid]).expect(200);
    expect(body.properties).toMatchObject({
      'dc:title': 'by bob',
      'collectionMember:collectionIds': [open.uid],
    });
    expect(await shownTo(server.request, document.uid)).toEqual(both);
    await call(bob, 'Collection.RemoveFromCollection', {
      input: document.uid,
      params: { collection: open.uid },
    }).expect(403);
  });

  test('the ETag changes with the collections that the caller may read (§4.1)', async () => {
    const { document, open, shut, both } = await member();
    const address = `/api/v1/id/${document.uid}`;
    const again = (etag: string) => bob.get(address).set('If-None-Match', etag);
    const { etag: first = '' } = (await bob.get(address).expect(200)).headers;
    await again(first).expect(304);
    await setAcl(server, shut.path, [grant('bob', 'Read')]);
    const more = await again(first).expect(200);
    expect(more.body.properties['collectionMember:collectionIds']).toEqual(both);
    await again(more.headers.etag ?? '').expect(304);
    await setAcl(server, open.path, nobody);
    await again(more.headers.etag ?? '').expect(200);
    expect(more.headers.etag?.split('-').slice(0, 2)).toEqual(first.split('-').slice(0, 2));
  });
});

describe('collection:documentIds', () => {
  /** Creates a collection that bob may change, with a document that bob may read between two that bob may not. */
  async function shared() {
    const into = await collection();
    await setAcl(server, into.path, [grant('bob', 'ReadWrite')]);
    const [first, open, last] = [
      await createDocument(server),
      await createDocument(server),
      await createDocument(server),
    ];
    for (const { path } of [first, last]) await setAcl(server, path, [deny('Everyone', 'Everything')]);
    const all = [first.uid, open.uid, last.uid];
    await add(all, into).expect(200);
    return { into, open, all };
  }
  const shownTo = async (who: TestServer['request'], uid: string) =>
    (await read(uid, who)).properties['collection:documentIds'];

  test('has the members that the caller may read; an administrator gets all (§2.5)', async () => {
    const { into, open, all } = await shared();
    expect(await shownTo(bob, into.uid)).toEqual([open.uid]);
    expect(await shownTo(server.request, into.uid)).toEqual(all);
    const fetched = await bob.get(`/api/v1/id/${into.uid}`).set('fetch.document', 'collection:documentIds');
    expect(fetched.body.properties['collection:documentIds']).toMatchObject([{ uid: open.uid }]);
    await run('Document.CheckIn', into.uid, { version: 'minor' }).expect(200);
    const { body: version } = await call(bob, 'Document.GetLastVersion', { input: into.uid }).expect(200);
    expect(version.properties['collection:documentIds']).toEqual([open.uid]);
  });

  test('an update with the ids that the caller can read keeps the hidden ones, in order', async () => {
    const { into, open, all } = await shared();
    const put = (ids: unknown) =>
      updateDocument(bob, into.uid, { 'dc:title': 'by bob', 'collection:documentIds': ids });
    for (const ids of [all, [], null]) await put(ids).expect(400);
    const { body } = await put([open.uid]).expect(200);
    expect(body.properties).toMatchObject({ 'dc:title': 'by bob', 'collection:documentIds': [open.uid] });
    await call(bob, 'Document.AddToCollection', { input: '/', params: { collection: into.uid } }).expect(400);
    expect(await shownTo(server.request, into.uid)).toEqual(all);
  });

  test('has at most 1000 members, not counting hidden ones', async () => {
    const { into, open } = await shared();
    const template = await server.database.prisma.document.findFirstOrThrow({ where: { id: open.uid } });
    const hidden = (await createDocument(server, { type: 'Folder' })).path;
    await setAcl(server, hidden, [deny('Everyone', 'Everything')]);
    const { aclId } = await server.database.prisma.document.findFirstOrThrow({ where: { path: hidden } });
    const ids = Array.from({ length: 1100 }, () => randomUUID());
    await server.database.prisma.document.createMany({
      data: ids.map((id, index) => ({
        ...template,
        id,
        aclId,
        properties: {},
        facets: ['CollectionMember'],
        name: `hidden ${index}`,
        path: `${template.path} ${index}`,
      })),
    });
    await server.database.prisma.collectionMember.createMany({
      data: ids.map((memberId) => ({ repository: 'default', collectionId: into.uid, memberId, position: 0 })),
    });
    expect(await shownTo(bob, into.uid)).toEqual([open.uid]);
    expect(await shownTo(server.request, into.uid)).toHaveLength(1000);
    await server.database.prisma.document.deleteMany({ where: { id: { in: ids } } }); // their paths are inconsistent
  });

  test('a page costs as many statements as one collection, for users as for administrators', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { all } = await shared();
    const children = (who: TestServer['request']) =>
      who.get(`/api/v1/id/${folder.uid}/@children`).expect(200);
    const make = async () => {
      const into = await createDocument(server, { parent: folder.path, type: 'Collection' });
      await add(all, into).expect(200);
    };
    await make();
    const one = await children(bob);
    for (let index = 0; index < 5; index += 1) await make();
    const page = await children(bob);
    for (const { properties } of page.body.entries)
      expect(properties['collection:documentIds']).toEqual([all[1]]);
    expect(page.body.entries).toHaveLength(6);
    expect(statements(page)).toBe(statements(one));
    expect(statements(page)).toBe(statements(await children(server.request)));
  });

  test('the ETag changes with the members that the caller may read', async () => {
    const { into, all } = await shared();
    const { headers } = await bob.get(`/api/v1/id/${into.uid}`).expect(200);
    const again = () => bob.get(`/api/v1/id/${into.uid}`).set('If-None-Match', headers.etag ?? '');
    await again().expect(304);
    const { path } = await read(all[0] ?? '');
    await setAcl(server, path, [grant('bob', 'Read')]);
    expect((await again().expect(200)).body.properties['collection:documentIds']).toEqual(all.slice(0, 2));
  });
});
