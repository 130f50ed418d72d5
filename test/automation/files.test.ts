import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

describe('§4.7 GET /automation/files/UID', () => {
  const made = () =>
    createDocument(server, {
      properties: {
        'file:content': { content: 'main', name: 'a.txt', 'mime-type': 'text/plain' },
        'files:files': [{ file: { content: 'attached', name: 'b.txt', 'mime-type': 'text/plain' } }],
      },
    });

  test.each([
    ['', 'main'],
    ['?path=file:content', 'main'],
    ['?path=files:files/0/file', 'attached'],
  ])('with %j it is the blob there', async (query, content) => {
    const { uid } = await made();
    const { text } = await server.request.get(`/api/v1/automation/files/${uid}${query}`).expect(200);
    expect(text).toBe(content);
  });

  test.each(['?path=files:files/1/file', '?path=dc:title', '?path=nosuch'])(
    'with %s it is 404',
    async (query) => {
      const { uid } = await made();
      await server.request.get(`/api/v1/automation/files/${uid}${query}`).expect(404);
    },
  );

  test('of a document that one may not read it is 403', async () => {
    const { uid } = await made();
    await createUser(server, 'ann');
    await as(server, 'ann').get(`/api/v1/automation/files/${uid}`).expect(403);
  });

  test('of a document that there is not it is 404', async () => {
    await server.request.get('/api/v1/automation/files/nosuch').expect(404);
  });
});
