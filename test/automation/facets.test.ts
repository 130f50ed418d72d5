import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contradictions } from '../store/consistency.ts';
import { grant, setAcl } from '../support/acls.ts';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { call } from './calls.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
  await createUser(server, 'bob');
});
afterAll(() => server.stop());

const add = (input: string, facet: string, who = server.request) =>
  call(who, 'Document.AddFacet', { input, params: { facet } });
const remove = (input: string, facet: string) =>
  call(server.request, 'Document.RemoveFacet', { input, params: { facet } });
const blobsOf = (documentId: string) => server.database.prisma.documentBlob.count({ where: { documentId } });

describe('Document.AddFacet and Document.RemoveFacet', () => {
  test('a facet brings its schemas, and takes their properties and blobs away', async () => {
    const { uid } = await createDocument(server, { type: 'Note' });
    const { body } = await add(uid, 'Thumbnail').expect(200);
    expect(body.facets).toContain('Thumbnail');
    expect(body.properties['thumb:thumbnail']).toBeNull();
    const properties = { 'thumb:thumbnail': { content: 'x', name: 'x.png' } };
    const put = { 'entity-type': 'document', properties };
    await server.request.put(`/api/v1/id/${uid}`).send(put).expect(200);
    expect(await blobsOf(uid)).toBe(1);
    const without = (await remove(uid, 'Thumbnail').expect(200)).body;
    expect(without.facets).not.toContain('Thumbnail');
    expect(Object.keys(without.properties)).not.toContain('thumb:thumbnail');
    expect(await blobsOf(uid)).toBe(0);
    const again = (await add(uid, 'Thumbnail').expect(200)).body;
    expect(again.properties['thumb:thumbnail']).toBeNull();
  });

  test('what the type has already is neither added nor taken away', async () => {
    const { uid } = await createDocument(server, { type: 'Note' });
    const before = (await server.request.get(`/api/v1/id/${uid}`)).body;
    expect((await add(uid, 'Versionable').expect(200)).body).toEqual(before);
    expect((await remove(uid, 'Versionable').expect(200)).body).toEqual(before);
    expect((await remove(uid, 'Thumbnail').expect(200)).body).toEqual(before);
  });

  test('a schema that another facet has too stays with its properties', async () => {
    const { uid } = await createDocument(server, {
      type: 'File',
      properties: { 'file:content': { content: 'x' } },
    });
    await add(uid, 'Picture').expect(200);
    const { body } = await remove(uid, 'Picture').expect(200);
    expect(body.properties['file:content']).not.toBeNull();
    expect(await blobsOf(uid)).toBe(1);
  });

  test('facets of memberships stay while there are any: 409', async () => {
    const { uid } = await createDocument(server);
    const collection = await createDocument(server, { type: 'Folder' });
    await add(collection.uid, 'Collection').expect(200);
    const params = { collection: collection.uid };
    await call(server.request, 'Document.AddToCollection', { input: uid, params }).expect(200);
    const refused = await remove(uid, 'CollectionMember').expect(409);
    expect(refused.body.message).toBe(
      `${uid} stays a CollectionMember: collectionMember:collectionIds is not empty`,
    );
    await remove(collection.uid, 'Collection').expect(409);
    expect(await contradictions(server)).toEqual([]);
    await call(server.request, 'Collection.RemoveFromCollection', { input: uid, params }).expect(200);
    expect((await remove(uid, 'CollectionMember').expect(200)).body.facets).not.toContain('CollectionMember');
    await remove(collection.uid, 'Collection').expect(200);
    expect(await contradictions(server)).toEqual([]);
  });

  test('Immutable is nobody’s to give; what hides is for administrators', async () => {
    const { uid, path } = await createDocument(server);
    await setAcl(server, path, [grant('bob', 'Everything')]);
    await add(uid, 'Immutable').expect(400);
    await add(uid, 'HiddenInNavigation', as(server, 'bob')).expect(403);
    await add(uid, 'SystemDocument', as(server, 'bob')).expect(403);
    await add(uid, 'Thumbnail', as(server, 'bob')).expect(200);
    await add(uid, 'HiddenInNavigation').expect(200);
  });
});
