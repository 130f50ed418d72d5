import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { asText, call } from './calls.ts';

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

describe.each(['Document.GetBlobs', 'Document.GetBlobsByProperty'])('%s', (id) => {
  const several = () =>
    createDocument(server, {
      properties: {
        'file:content': { content: 'main' },
        'files:files': ['one', 'two'].map((content) => ({ file: { content } })),
      },
    });
  const contentsOf = (body: unknown) =>
    String(body)
      .split('\r\n')
      .filter((line) => ['main', 'one', 'two', 'text'].includes(line));
  const run = (input: unknown, params: Record<string, unknown> = {}) =>
    asText(call(server.request, id, { input, params }));
  const isAll = id === 'Document.GetBlobs';

  test('answers files as parts of one body, in order, at the cost of one', async () => {
    const { uid } = await several();
    const response = await run(uid).expect(200);
    expect(response.headers['content-type']).toMatch(/^multipart\/mixed/);
    expect(contentsOf(response.body)).toEqual(isAll ? ['main', 'one', 'two'] : ['one', 'two']);
    expect(statements(response)).toBe(1);
  });

  test('answers nothing where there is none', async () => {
    await run((await createDocument(server)).uid).expect(204);
  });

  test('needs Read', async () => {
    const { uid } = await several();
    await createUser(server, id);
    await call(as(server, id), id, { input: uid }).expect(403);
  });

  test('refuses what is not there', async () => {
    await run('/nosuch').expect(404);
    if (!isAll) await run('/', { xpath: 'no:such' }).expect(400);
  });

  test('knows a text of a note, and a property of one file', async () => {
    const properties = { 'note:note': 'text' };
    const note = await createDocument(server, { type: 'Note', properties });
    if (isAll) expect(contentsOf((await run(note.uid).expect(200)).body)).toEqual(['text']);
    else {
      const { uid } = await several();
      expect(contentsOf((await run(uid, { xpath: 'file:content' }).expect(200)).body)).toEqual(['main']);
      expect(contentsOf((await run(uid, { xpath: 'files:files/1' }).expect(200)).body)).toEqual(['two']);
    }
  });
});
