import { describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { atId, atPath, createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

describe('…/@tags', () => {
  test('tag a document, list its tags and remove them', async () => {
    const { uid, path } = await createDocument(server);
    await setAcl(server, path, [grant('bob', 'Read')]);
    const put = await bob.put(`${atId(uid)}/@tags/Two%20Words`).expect(200);
    expect(put.body).toEqual({ 'entity-type': 'tag', label: 'twowords', username: 'bob' });
    const again = await server.request.put(`${atPath(path)}/@tags/twowords`).expect(200);
    expect(again.body.username).toBe('bob');
    await server.request.put(`${atId(uid)}/@tags/a`).expect(200);
    const { body } = await server.request.get(`${atPath(path)}/@tags`).expect(200);
    expect(body).toEqual({
      'entity-type': 'tags',
      entries: [
        { 'entity-type': 'tag', label: 'a', username: 'Administrator' },
        { 'entity-type': 'tag', label: 'twowords', username: 'bob' },
      ],
    });
    await server.request
      .delete(`${atId(uid)}/@tags/a`)
      .set('If-Match', '"9-9"')
      .expect(412);
    await server.request.delete(`${atId(uid)}/@tags/A`).expect(204);
    const { message } = (await server.request.delete(`${atId(uid)}/@tags/a`).expect(404)).body;
    expect(message).toBe(`There is no tag a on ${uid}.`);
    await bob.delete(`${atId(uid)}/@tags/twowords`).expect(403);
    await server.request.put(`${atId(uid)}/@tags/%20`).expect(400);
    await server.request
      .put(`${atId(uid)}/@tags/b`)
      .set('If-Match', '"9-9"')
      .expect(412);
  });
});
