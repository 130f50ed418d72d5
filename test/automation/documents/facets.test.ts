import { describe, expect, test } from '@jest/globals';
import { contradictions } from '../../store/consistency.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, useUsers } from '../../support/users.ts';

const server = useServer();
useUsers(server, 'bob');

const add = (input: string, facet: string, who = server.request) =>
  call(who, 'Document.AddFacet', { input, params: { facet } });
const remove = (input: string, facet: string) =>
  call(server.request, 'Document.RemoveFacet', { input, params: { facet } });
const blobsOf = (documentId: string) => server.database.prisma.documentBlob.count({ where: { documentId } });

describe('Document.AddFacet and Document.RemoveFacet', () => {
  test('adding a facet adds its schemas; removing it removes their properties and blobs', async () => {
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

  test('adding or removing a facet of the type changes nothing', async () => {
    const { uid } = await createDocument(server, { type: 'Note' });
    const before = (await server.request.get(`/api/v1/id/${uid}`)).body;
    expect((await add(uid, 'Versionable').expect(200)).body).toEqual(before);
    expect((await remove(uid, 'Versionable').expect(200)).body).toEqual(before);
    expect((await remove(uid, 'Thumbnail').expect(200)).body).toEqual(before);
  });

  test('removing a facet keeps schemas that the document has otherwise', async () => {
    const { uid } = await createDocument(server, {
      type: 'File',
      properties: { 'file:content': { content: 'x' } },
    });
    await add(uid, 'Picture').expect(200);
    const { body } = await remove(uid, 'Picture').expect(200);
    expect(body.properties['file:content']).not.toBeNull();
    expect(await blobsOf(uid)).toBe(1);
  });

  test('CollectionMember is refused with one message, whether or not memberships exist', async () => {
    const { uid } = await createDocument(server);
    const collection = await createDocument(server, { type: 'Collection' });
    const params = { collection: collection.uid };
    const answers = [await add(uid, 'CollectionMember').expect(400)];
    await call(server.request, 'Document.AddToCollection', { input: uid, params }).expect(200);
    answers.push(await remove(uid, 'CollectionMember').expect(400));
    await call(server.request, 'Collection.RemoveFromCollection', { input: uid, params }).expect(200);
    answers.push(await remove(uid, 'CollectionMember').expect(400));
    const [message] = [...new Set(answers.map(({ body }) => body.message))];
    expect(message).toBe(
      'The facet CollectionMember is only for documents that are, or were, in a collection.',
    );
    for (const { body } of answers) expect(body.message).toBe(message);
  });

  test('removing Collection ends all memberships, unreadable ones too, at a constant cost', async () => {
    const folder = async (count: number) => {
      const { uid, path } = await createDocument(server, { type: 'Folder' });
      await setAcl(server, path, [grant('bob', 'ReadWrite')]);
      await add(uid, 'Collection').expect(200);
      const members: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const member = await createDocument(server);
        await setAcl(server, member.path, [deny('Everyone', 'Everything')]);
        members.push(member.uid);
      }
      const params = { collection: uid };
      await call(server.request, 'Document.AddToCollection', { input: members, params }).expect(200);
      return { uid, members };
    };
    const bob = as(server, 'bob');
    const take = (input: string) =>
      call(bob, 'Document.RemoveFacet', { input, params: { facet: 'Collection' } }).expect(200);
    await take((await folder(0)).uid); // from here on the user is cached
    const [one, all] = [await folder(1), await folder(5)];
    const [few, many] = [await take(one.uid), await take(all.uid)];
    expect(many.body.facets).not.toContain('Collection');
    expect(many.body.properties).not.toHaveProperty('collection:documentIds');
    expect(statements(many)).toBe(statements(few));
    for (const uid of all.members) {
      const { body } = await server.request.get(`/api/v1/id/${uid}`).expect(200);
      expect(body).toMatchObject({
        changeToken: '2-0',
        properties: { 'collectionMember:collectionIds': [] },
      });
    }
    expect((await add(all.uid, 'Collection').expect(200)).body.properties['collection:documentIds']).toEqual(
      [],
    );
    expect(await contradictions(server)).toEqual([]);
  });

  test('restoring a version without the facet Collection ends all memberships', async () => {
    const { uid } = await createDocument(server, { type: 'File' });
    const of = async (id: string, params: Record<string, unknown>) =>
      (await call(server.request, id, { input: uid, params }).expect(200)).body;
    await of('Document.CheckIn', { version: 'minor' });
    const version = await of('Document.GetLastVersion', {});
    await add(uid, 'Collection').expect(200);
    const member = await createDocument(server);
    const params = { collection: uid };
    await call(server.request, 'Document.AddToCollection', { input: member.uid, params }).expect(200);
    await call(server.request, 'Document.RestoreVersion', { input: version.uid }).expect(200);
    const { body } = await server.request.get(`/api/v1/id/${member.uid}`).expect(200);
    expect(body.properties['collectionMember:collectionIds']).toEqual([]);
    expect(await contradictions(server)).toEqual([]);
  });

  test('Immutable is refused; HiddenInNavigation and SystemDocument need an administrator', async () => {
    const { uid, path } = await createDocument(server);
    await setAcl(server, path, [grant('bob', 'Everything')]);
    await add(uid, 'Immutable').expect(400);
    await add(uid, 'HiddenInNavigation', as(server, 'bob')).expect(403);
    await add(uid, 'SystemDocument', as(server, 'bob')).expect(403);
    await add(uid, 'Thumbnail', as(server, 'bob')).expect(200);
    await add(uid, 'HiddenInNavigation').expect(200);
  });
});
