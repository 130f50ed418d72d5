import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { asText, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();

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
  ])('sends the blob for the query %j', async (query, content) => {
    const { uid } = await made();
    const { text } = await server.request.get(`/api/v1/automation/files/${uid}${query}`).expect(200);
    expect(text).toBe(content);
  });

  test.each(['?path=files:files/1/file', '?path=dc:title', '?path=nosuch'])(
    'answers 404 for the query %s',
    async (query) => {
      const { uid } = await made();
      await server.request.get(`/api/v1/automation/files/${uid}${query}`).expect(404);
    },
  );

  test('answers 403 without Read on the document', async () => {
    const { uid } = await made();
    await createUser(server, 'ann');
    await as(server, 'ann').get(`/api/v1/automation/files/${uid}`).expect(403);
  });

  test('answers 404 for an unknown document', async () => {
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

  test('answers with the files in order as parts of one body, with one statement', async () => {
    const { uid } = await several();
    const response = await run(uid).expect(200);
    expect(response.headers['content-type']).toMatch(/^multipart\/mixed/);
    expect(contentsOf(response.body)).toEqual(isAll ? ['main', 'one', 'two'] : ['one', 'two']);
    expect(statements(response)).toBe(1);
  });

  test('answers 204 for a document without files', async () => {
    await run((await createDocument(server)).uid).expect(204);
  });

  test('needs Read', async () => {
    const { uid } = await several();
    await createUser(server, id);
    await call(as(server, id), id, { input: uid }).expect(403);
  });

  test('refuses an unknown document and an unknown property', async () => {
    await run('/nosuch').expect(404);
    if (!isAll) await run('/', { xpath: 'no:such' }).expect(400);
  });

  test('answers with the text of a note, or the file at an xpath', async () => {
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
