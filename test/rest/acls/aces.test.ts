import { describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const ace = { username: 'bob', permission: 'ReadWrite' };

const own = async (uid: string) =>
  (await server.request.get(`${atId(uid)}/@acl`).expect(200)).body.acl.find(
    ({ name }: { name: string }) => name === 'local',
  )?.ace ?? [];

describe('§2.5 POST …/@acl', () => {
  test.each(['id', 'path', 'repository'])('adds an ACE by %s, and says where it is', async (by) => {
    const { uid, path } = await createDocument(server);
    const at = { id: `/id/${uid}`, path: `/path${path}`, repository: `/repo/default/id/${uid}` }[by];
    const { body, headers } = await server.request
      .post(`/api/v1${at}/@acl`)
      .send({ 'entity-type': 'ace', ...ace, end: '2090-01-01', comment: 'Welcome' })
      .expect(201);
    expect(body).toEqual({
      'entity-type': 'ace',
      id: 'bob:ReadWrite:true:Administrator::3786912000000',
      ...ace,
      externalUser: false,
      granted: true,
      creator: 'Administrator',
      begin: null,
      end: '2090-01-01T00:00:00.000Z',
      status: 'effective',
      comment: 'Welcome',
    });
    const location = new URL(headers.location ?? '').pathname;
    expect(location).toBe(`/api/v1${at}/@acl/${encodeURIComponent(body.id)}`);
    expect((await server.request.get(location).expect(200)).body).toEqual(body);
    expect(await own(uid)).toMatchObject([{ id: body.id }]);
    await server.request.delete(location).expect(204);
    expect(await own(uid)).toEqual([]);
    await server.request.get(location).expect(404);
    const { message } = (await server.request.delete(location).expect(404)).body;
    expect(message).toContain(`There is no permission ${body.id} on `);
  });

  test('names a guest by the e-mail address, who needs an end', async () => {
    const { uid } = await createDocument(server);
    const guest = { username: 'Guest@Example.org', permission: 'Read' };
    const { message } = (
      await server.request
        .post(`${atId(uid)}/@acl`)
        .send(guest)
        .expect(400)
    ).body;
    expect(message).toContain("'end' parameter must be set");
    const { body } = await server.request
      .post(`${atId(uid)}/@acl`)
      .send({ ...guest, end: '2090-01-01' })
      .expect(201);
    expect(body).toMatchObject({ username: 'guest@example.org', externalUser: true });
    expect(body.id).toMatch(/^guest@example\.org:Read:/);
    const { 'entity-type': _, ...ace } = body;
    expect(await own(uid)).toEqual([ace]);
    await server.request.delete(`${atId(uid)}/@acl/${body.id}`).expect(204);
    expect(await own(uid)).toEqual([]);
  });

  test('adds to another ACL, from which it is removed by name', async () => {
    const { uid } = await createDocument(server);
    const { body } = await server.request
      .post(`${atId(uid)}/@acl`)
      .send({ ...ace, acl: 'project' })
      .expect(201);
    await server.request.delete(`${atId(uid)}/@acl/${body.id}`).expect(404);
    await server.request
      .delete(`${atId(uid)}/@acl/${body.id}`)
      .query({ acl: 'project' })
      .expect(204);
  });

  test.each([
    [{}, '"username" is missing; "permission" is missing.'],
    [{ username: 'nobody', permission: 'Read' }, 'do not exist: [nobody]'],
    [{ username: 'bob', permission: 'Fly' }, 'Permission Fly is invalid.'],
    [{ ...ace, granted: 'yes' }, 'granted must be true or false.'],
    [{ ...ace, begin: 'soon' }, 'begin: "soon" is not a W3C date-time'],
    [{ ...ace, 'entity-type': 'document' }, 'entity-type'],
  ])('refuses %j', async (body, message) => {
    const { uid } = await createDocument(server);
    const refused = await server.request
      .post(`${atId(uid)}/@acl`)
      .send(body)
      .expect(400);
    expect(refused.body.message).toContain(message);
    expect(await own(uid)).toEqual([]);
  });

  test('refuses a name that is longer than any name can be, and shortens it in the message', async () => {
    const { uid } = await createDocument(server);
    const refused = await server.request
      .post(`${atId(uid)}/@acl`)
      .send({ username: '\u{1F600}'.repeat(1_000_000), permission: 'Read' })
      .expect(400);
    expect(refused.body.message).toContain('do not exist: [\u{1F600}');
    expect(refused.body.message.length).toBeLessThan(25_000);
    expect(await own(uid)).toEqual([]);
  });

  test('is guarded, conditional, silent and done once', async () => {
    const { uid, path, changeToken } = await createDocument(server);
    await setAcl(server, path, [grant('bob', 'Read')]);
    const post = (who = server.request) => who.post(`${atId(uid)}/@acl`);
    await post(bob).send(ace).expect(403);
    await post(bob).send({}).expect(403);
    await post().set('If-Match', '"9-9"').send(ace).expect(412);
    expect(await own(uid)).toHaveLength(1);
    await post().set('If-Match', `"${changeToken}"`).set('X-SvcVoidOperation', 'true').send(ace).expect(204);
    const address = `${atId(uid)}/@acl/bob:ReadWrite:true:Administrator::`;
    await bob.delete(address).expect(403);
    for (const _ of [1, 2]) await post().set('Idempotency-Key', uid).send(ace).expect(201);
    await server.request.delete(address).set('If-Match', '"9-9"').expect(412);
    expect(await own(uid)).toHaveLength(2);
    await server.request
      .post(`${atId('00000000-0000-4000-8000-000000000000')}/@acl`)
      .send(ace)
      .expect(404);
  });
});
