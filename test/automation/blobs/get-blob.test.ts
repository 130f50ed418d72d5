import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { asText, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const run = (id: string, given: Parameters<typeof call>[2]) => call(server.request, id, given);

describe('Document.GetBlob', () => {
  const get = (input: unknown, params: Record<string, unknown> = {}) =>
    asText(run('Document.GetBlob', { input, params }));

  test('answers with the bytes, their media type and their name', async () => {
    const content = { content: 'hello', name: 'a b.txt', 'mime-type': 'text/csv' };
    const { uid } = await createDocument(server, { properties: { 'file:content': content } });
    const response = await get(uid).expect(200);
    expect(response.body).toBe('hello');
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=UTF-8',
      'content-length': '5',
      'content-disposition': 'attachment; filename="a b.txt"',
      'x-content-type-options': 'nosniff',
    });
    expect(statements(response)).toBe(1);
  });

  test('answers with all bytes, whatever Range or condition is sent', async () => {
    const { uid } = await createDocument(server, { properties: { 'file:content': { content: 'whole' } } });
    const { headers } = await get(uid).expect(200);
    for (const [name, value] of [
      ['Range', 'bytes=9-'],
      ['Range', 'bytes=0-0'],
      ['If-None-Match', String(headers.etag)],
      ['If-Match', '"other"'],
    ] as const) {
      expect((await get(uid).set(name, value).expect(200)).body).toBe('whole');
    }
  });

  test('answers with the blob at an xpath, or the main blob where there is none', async () => {
    const properties = {
      'file:content': { content: 'main' },
      'files:files': [{ file: { content: 'attached' } }],
    };
    const { uid } = await createDocument(server, { properties });
    expect((await get(uid, { xpath: 'files:files/0/file' })).body).toBe('attached');
    for (const xpath of ['files:files/9/file', 'dc:title', 'no:such', '']) {
      expect((await get(uid, { xpath })).body).toBe('main');
    }
  });

  test('answers with the text of a note', async () => {
    const properties = { 'note:note': '# é', 'note:mime_type': 'text/markdown' };
    const { uid } = await createDocument(server, { type: 'Note', properties });
    const response = await get(uid).expect(200);
    expect(response.body).toBe('# é');
    expect(response.headers['content-type']).toBe('text/markdown; charset=UTF-8');
  });

  test('answers with an empty file for a document without a blob', async () => {
    const { uid, name } = await createDocument(server, { type: 'Folder' });
    const response = await get(uid).expect(200);
    expect(response.body).toBe('');
    expect(response.headers).toMatchObject({
      'content-length': '0',
      'content-disposition': `attachment; filename=${name}.null`,
    });
  });

  test('answers with several blobs as parts of one body, with one statement', async () => {
    const [one, two] = [
      await createDocument(server, { properties: { 'file:content': { content: 'first', name: '1.txt' } } }),
      await createDocument(server, { properties: { 'file:content': { content: 'second', name: '2.txt' } } }),
    ];
    const response = await get([one.uid, two.uid]).expect(200);
    expect(response.headers['content-type']).toMatch(/^multipart\/mixed; boundary="[\w-]+"$/);
    const parts = String(response.body).split('\r\n');
    expect(parts.filter((line) => ['first', 'second'].includes(line))).toEqual(['first', 'second']);
    expect(parts.filter((line) => line.startsWith('Content-Disposition'))).toEqual([
      'Content-Disposition: attachment; filename=1.txt',
      'Content-Disposition: attachment; filename=2.txt',
    ]);
    expect(statements(response)).toBe(1);
    await run('Document.GetBlob', { input: [] }).expect(204);
  });

  test('needs Read', async () => {
    const { uid } = await createDocument(server, { properties: { 'file:content': { content: 'x' } } });
    await call(bob, 'Blob.Get', { input: uid }).expect(403);
    await call(bob, 'Blob.Get', { input: [uid] }).expect(403);
  });

  test('refuses an unknown document and an xpath that is no text', async () => {
    await run('Document.GetBlob', { input: '/nosuch' }).expect(404);
    await run('Document.GetBlob', { input: '/', params: { xpath: ['a'] } }).expect(400);
  });
});
