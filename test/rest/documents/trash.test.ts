import { describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, readDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

describe('…/@trash and …/@untrash', () => {
  test('move a document to the trash and back', async () => {
    const { uid, path } = await createDocument(server, { type: 'Folder' });
    await bob.post(`${atId(uid)}/@trash`).expect(403);
    await server.request
      .post(`${atId(uid)}/@trash`)
      .set('If-Match', '"9-9"')
      .expect(412);
    const { body } = await server.request.post(`${atPath(path)}/@trash`).expect(200);
    expect(body).toMatchObject({ uid, isTrashed: true });
    await server.request.get(atPath(path)).expect(404);
    await server.request
      .post(`${atId(uid)}/@untrash`)
      .set('If-Match', '"9-9"')
      .expect(412);
    await bob.post(`${atId(uid)}/@untrash`).expect(403);
    const back = await server.request.post(`${atPath(body.path)}/@untrash`).expect(200);
    expect(back.body).toMatchObject({ uid, path, isTrashed: false });
    await server.request
      .post(`${atId(uid)}/@untrash`)
      .set('X-SvcVoidOperation', 'true')
      .expect(204);
    expect((await readDocument(server.request, uid)).isTrashed).toBe(false);
    await server.request.post(`${atPath('/nowhere')}/@trash`).expect(404);
  });
});
