import { describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { atId, atPath, createDocument, updateDocument } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const versions = (at: string) => server.request.get(`${at}/@versions`).expect(200);

describe('§11 …/@versions', () => {
  test.each(['id', 'path'])('makes, lists and restores versions by %s', async (by) => {
    const { uid, path } = await createDocument(server, { properties: { 'dc:title': 'first' } });
    const at = by === 'id' ? atId(uid) : atPath(path);
    const made = await server.request.post(`${at}/@versions`).send({ increment: 'MAJOR' }).expect(201);
    expect(made.body).toMatchObject({ isVersion: true, versionLabel: '1.0', versionableId: uid });
    const { pathname } = new URL(made.headers.location ?? '');
    expect((await server.request.get(pathname).expect(200)).body.uid).toBe(made.body.uid);
    await updateDocument(server.request, uid, { 'dc:title': 'second' }).expect(200);
    await server.request.post(`${at}/@versions`).send({ increment: 'MINOR', comment: 'Checked' }).expect(201);
    const { body } = await versions(at);
    expect(body).toMatchObject({ 'entity-type': 'documents', resultsCount: 2, isPaginable: true });
    expect(body.entries).toMatchObject([{ versionLabel: '1.1' }, { versionLabel: '1.0' }]);
    const [, page] = (await server.request.get(`${at}/@versions`).query({ pageSize: 1 })).body.entries;
    expect(page).toBeUndefined();
    const restored = await server.request
      .post(`${at}/@versions/${made.body.uid}/@restore`)
      .set('enrichers.document', 'tags')
      .expect(200);
    expect(restored.body).toMatchObject({ uid, title: 'first', contextParameters: { tags: [] } });
  });

  test('costs the same statements for 2 versions as for 20', async () => {
    const { uid } = await createDocument(server);
    const counts: number[] = [];
    for (const number of [2, 20]) {
      while ((await versions(atId(uid))).body.resultsCount < number)
        await server.request
          .post(`${atId(uid)}/@versions`)
          .send({ increment: 'MINOR' })
          .expect(201);
      counts.push(statements(await versions(atId(uid))));
    }
    expect(counts[1]).toBe(counts[0]);
  });

  test('restores no version of another document, and none that is missing', async () => {
    const [one, other] = [await createDocument(server), await createDocument(server)];
    const { body } = await server.request
      .post(`${atId(other.uid)}/@versions`)
      .send({})
      .expect(201);
    const refused = await server.request.post(`${atId(one.uid)}/@versions/${body.uid}/@restore`).expect(404);
    expect(refused.body.message).toBe(`There is no version ${body.uid} of ${one.uid}.`);
    await server.request.post(`${atId(one.uid)}/@versions/nosuch/@restore`).expect(404);
    await server.request
      .post(`${atId(other.uid)}/@versions/${body.uid}/@restore`)
      .set('If-Match', '"9-9"')
      .expect(412);
  });

  test.each([[{ increment: 'NONE' }], [{ increment: 'minor' }], [[]], [{ comment: 1 }]])(
    'refuses %j',
    async (body) => {
      const { uid } = await createDocument(server);
      await server.request
        .post(`${atId(uid)}/@versions`)
        .send(body)
        .expect(400);
      expect((await versions(atId(uid))).body.resultsCount).toBe(0);
    },
  );

  test('refuses readers, stale callers and types without versions', async () => {
    const { uid, path } = await createDocument(server);
    await setAcl(server, path, [grant('bob', 'Read')]);
    await bob
      .post(`${atId(uid)}/@versions`)
      .send({})
      .expect(403);
    await server.request
      .post(`${atId(uid)}/@versions`)
      .set('If-Match', '"9-9"')
      .send({})
      .expect(412);
    const folder = await createDocument(server, { type: 'Folder' });
    await server.request
      .post(`${atId(folder.uid)}/@versions`)
      .send({})
      .expect(400);
    expect((await versions(atId(uid))).body.resultsCount).toBe(0);
  });
});

describe('§11 POST …/@publish', () => {
  test('publishes in a section, and answers the proxy', async () => {
    const { uid, path } = await createDocument(server);
    const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
    const publish = (at: string, body: object) => server.request.post(`${at}/@publish`).send(body);
    const { body } = await publish(atPath(path), { target: section.path }).expect(200);
    expect(body).toMatchObject({ isProxy: true, parentRef: section.uid });
    const again = await publish(atId(uid), { target: section.uid }).expect(200);
    expect(again.body.uid).toBe(body.uid);
    const second = await publish(atId(uid), { target: section.uid, override: false }).expect(200);
    expect(second.body.uid).not.toBe(body.uid);
    await publish(atId(uid), { target: '/nowhere' }).expect(404);
    await publish(atId(uid), {}).expect(400);
    await publish(atId(uid), { target: path }).expect(400);
    await publish(atId(uid), { target: section.uid }).set('If-Match', '"9-9"').expect(412);
    await bob
      .post(`${atId(uid)}/@publish`)
      .send({ target: section.uid })
      .expect(403);
  });
});
