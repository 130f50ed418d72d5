import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { collecting } from './collecting.ts';

const server = useServer();
checkConsistency(server);

const { run, read, some, collection, add, membersOf } = collecting(server);

describe('Memberships in collections', () => {
  test('end when a tree with the collection or the member is deleted', async () => {
    const top = await createDocument(server, { type: 'Folder' });
    const low = await createDocument(server, { type: 'Folder', parent: top.path });
    const [inside, outside] = [
      await createDocument(server, { parent: low.path }),
      await createDocument(server),
    ];
    const [deep, stays] = [
      await createDocument(server, { parent: low.path, type: 'Collection' }),
      await collection(),
    ];
    await add([inside.uid, outside.uid], deep).expect(200);
    await add([inside.uid, outside.uid], stays).expect(200);
    const deleted = await server.request.delete(`/api/v1/id/${top.uid}`).expect(204);
    const empty = await createDocument(server, { type: 'Folder' });
    expect(statements(deleted)).toBe(statements(await server.request.delete(`/api/v1/id/${empty.uid}`)));
    expect(await membersOf(stays)).toEqual([outside.uid]);
    expect((await read(stays.uid)).properties['collection:documentIds']).toEqual([outside.uid]);
    expect((await read(outside.uid)).properties['collectionMember:collectionIds']).toEqual([stays.uid]);
  });

  test('deleted collections raise the change token of each of their members once', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const held = () => createDocument(server, { parent: folder.path, type: 'Collection' });
    const [one, two, other] = [await held(), await held(), await collection()];
    const [both, plain, apart] = await some(3);
    await add([both?.uid, plain?.uid], one).expect(200);
    await add(both?.uid, two).expect(200);
    await add([both?.uid, apart?.uid], other).expect(200);
    const tokens = () =>
      Promise.all([both, plain, apart].map(async (row) => (await read(row?.uid ?? '')).changeToken));
    expect(await tokens()).toEqual(['3-0', '1-0', '1-0']);
    await server.request.delete(`/api/v1/id/${folder.uid}`).expect(204);
    expect(await tokens()).toEqual(['4-0', '2-0', '1-0']);
    await run('Document.Delete', [other.uid, apart?.uid], {}).expect(204);
    expect((await read(both?.uid ?? '')).changeToken).toBe('5-0');
  });

  /** The change token of a document, and a conditional request with its current ETag. */
  const again = async ({ uid }: { uid: string }) => {
    const answer = await server.request.get(`/api/v1/id/${uid}`).expect(200);
    const etag = answer.headers.etag ?? '';
    return {
      changeToken: answer.body.changeToken as string,
      get: () => server.request.get(`/api/v1/id/${uid}`).set('If-None-Match', etag),
    };
  };

  test('deleting a tree changes the ETags of collections and members outside it, and no others', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const inside = await createDocument(server, { parent: folder.path });
    const deep = await createDocument(server, { parent: folder.path, type: 'Collection' });
    const [one, other, unconcerned] = [await collection(), await collection(), await collection()];
    const [member, bystander] = [await createDocument(server), await createDocument(server)];
    for (const into of [one, other, deep]) await add([inside.uid, member.uid], into).expect(200);
    await add(bystander.uid, unconcerned).expect(200);
    const concerned = await Promise.all([one, other, member].map(again));
    const others = await Promise.all([unconcerned, bystander].map(again));
    for (const { get } of [...concerned, ...others]) await get().expect(304);

    const deleted = await server.request.delete(`/api/v1/id/${folder.uid}`).expect(204);
    const empty = await createDocument(server, { type: 'Folder' });
    expect(statements(deleted)).toBe(statements(await server.request.delete(`/api/v1/id/${empty.uid}`)));
    for (const { get } of others) await get().expect(304);
    for (const { get, changeToken } of concerned) {
      const { body } = await get().expect(200);
      const next = (token: string) => token.replace(/^\d+/, (system) => `${Number(system) + 1}`);
      expect(body.changeToken).toBe(next(changeToken)); // once, however many memberships ended
    }
  });

  test('deleting a version or a proxy changes the ETag of its collection', async () => {
    const document = await createDocument(server);
    const section = await createDocument(server, { parent: '/default-domain/sections', type: 'Section' });
    const proxy = await run('Document.PublishToSection', document.uid, { target: section.uid }).expect(200);
    const put = { 'entity-type': 'document', properties: { 'dc:title': 'next' } };
    const { body: version } = await server.request
      .put(`/api/v1/id/${document.uid}`)
      .set('X-Versioning-Option', 'MINOR')
      .send(put)
      .expect(200);
    await run('Document.CheckOut', document.uid).expect(200);
    const [ofVersion, ofProxy] = [await collection(), await collection()];
    await add(version.uid, ofVersion).expect(200);
    await add(proxy.body.uid, ofProxy).expect(200);

    const [first, second] = [await again(ofVersion), await again(ofProxy)];
    await server.request.delete(`/api/v1/id/${version.uid}`).expect(204);
    expect((await first.get().expect(200)).body.properties['collection:documentIds']).toEqual([]);
    await second.get().expect(304);
    await server.request.delete(`/api/v1/id/${document.uid}`).expect(204); // this deletes its proxies, too
    expect((await second.get().expect(200)).body.properties['collection:documentIds']).toEqual([]);
  });

  test('deleting a member changes the ETag of versions of its collection, but not vice versa', async () => {
    const [into, one, other] = [
      await collection(),
      await createDocument(server),
      await createDocument(server),
    ];
    await add([one.uid, other.uid], into).expect(200);
    const version = async () =>
      (
        await server.request
          .put(`/api/v1/id/${into.uid}`)
          .set('X-Versioning-Option', 'MINOR')
          .send({ 'entity-type': 'document' })
          .expect(200)
      ).body as DocumentEntity;
    const [first] = [await version(), await version()];
    const [before, member] = [await again(first), await again(other)];
    await server.request.delete(`/api/v1/id/${one.uid}`).expect(204);
    expect((await before.get().expect(200)).body.properties['collection:documentIds']).toEqual([other.uid]);
    await server.request.delete(`/api/v1/id/${first.uid}`).expect(204);
    await member.get().expect(304);
  });

  test('copying a collection changes the ETags of its members', async () => {
    const [into, member] = [await collection(), await createDocument(server)];
    await add(member.uid, into).expect(200);
    const before = await again(member);
    const { body } = await run('Document.Copy', into.uid, { target: '/default-domain/workspaces' }).expect(
      200,
    );
    const after = await before.get().expect(200);
    expect(after.body.properties['collectionMember:collectionIds'].sort()).toEqual(
      [into.uid, body.uid].sort(),
    );
  });

  test('concurrent deletions of all members leave both collections empty', async () => {
    const [one, other, documents] = [await collection(), await collection(), await some(8)];
    for (const into of [one, other])
      await add(
        documents.map(({ uid }) => uid),
        into,
      ).expect(200);
    const before = await Promise.all([one, other].map(again));
    await Promise.all(documents.map(({ uid }) => server.request.delete(`/api/v1/id/${uid}`).expect(204)));
    for (const { get } of before)
      expect((await get().expect(200)).body.properties['collection:documentIds']).toEqual([]);
  });

  test('a copied collection keeps its members; a copied member is in no collection', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const [inside, outside] = [
      await createDocument(server, { parent: folder.path }),
      await createDocument(server),
    ];
    const held = await createDocument(server, { parent: folder.path, type: 'Collection' });
    const order = [outside.uid, inside.uid];
    await add(order, held).expect(200);
    const copy = async (input: string, target: string) =>
      (await run('Document.Copy', input, { target, name: 'copied' }).expect(200)).body as DocumentEntity;
    const { path } = await copy(folder.uid, '/default-domain/workspaces');
    const { body } = await server.request.get(`/api/v1/path${path}/${held.name}`).expect(200);
    expect(body.properties['collection:documentIds']).toEqual(order);
    const member = await server.request.get(`/api/v1/path${path}/${inside.name}`).expect(200);
    expect(member.body.properties['collectionMember:collectionIds']).toEqual([]);
    expect(await membersOf(await copy(held.uid, folder.uid))).toEqual(order);
  });

  test('a body can repeat but not change the properties of memberships', async () => {
    const [into, document] = [await collection(), await createDocument(server)];
    await add(document.uid, into).expect(200);
    const put = ({ uid }: DocumentEntity, properties: object) =>
      updateDocument(server.request, uid, properties);
    const { properties } = await read(into.uid);
    await put(into, { ...properties, 'dc:title': 'other' }).expect(200);
    await put(document, (await read(document.uid)).properties).expect(200);
    const { body } = await put(into, { 'collection:documentIds': [] }).expect(400);
    expect(body.message).toMatch(/^collection:documentIds: This property can only be changed by adding/);
    await put(document, { 'collectionMember:collectionIds': null }).expect(400);
    const create = (ids: unknown) =>
      server.request.post('/api/v1/path/default-domain/workspaces').send({
        'entity-type': 'document',
        type: 'Collection',
        name: 'made',
        properties: { 'collection:documentIds': ids },
      });
    await create([document.uid]).expect(400);
    await create([]).expect(201);
    expect(await membersOf(into)).toEqual([document.uid]);
  });

  test('a page of documents costs as many statements as one document', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const document = await createDocument(server);
    const children = (parent: DocumentEntity) => server.request.get(`/api/v1/id/${parent.uid}/@children`);
    const make = () => createDocument(server, { parent: folder.path, type: 'Collection' });
    await add(document.uid, await make()).expect(200);
    const one = await children(folder).expect(200);
    for (let index = 0; index < 5; index += 1) await add(document.uid, await make()).expect(200);
    const all = await children(folder).expect(200);
    expect(statements(all)).toBe(statements(one));
    expect(all.body.entries).toHaveLength(6);
    for (const { properties } of all.body.entries)
      expect(properties['collection:documentIds']).toEqual([document.uid]);
  });

  test('GraphQL returns pages of members', async () => {
    const [into, documents] = [await collection(), await some(2)];
    const uids = documents.map(({ uid }) => uid);
    await add(uids, into).expect(200);
    const query = `query ($id: ID!) { document(id: $id) { members(pageSize: 1, offset: 1) { resultsCount entries { uid } } } }`;
    expect(await askGraphql(server.request, query, { id: into.uid })).toEqual({
      document: { members: { resultsCount: 2, entries: [{ uid: uids[1] }] } },
    });
    expect(await askGraphql(server.request, query, { id: uids[0] })).toEqual({
      document: { members: { resultsCount: 0, entries: [] } },
    });
  });
});
