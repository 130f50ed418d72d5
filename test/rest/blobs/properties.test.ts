import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocument } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import {
  blobIn,
  createBinary,
  createFile,
  createWithFiles,
  download,
  local,
  put,
  readDocument,
} from './blob-requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('§2.1 A blob in the properties of an answer', () => {
  test('has exactly these fields', async () => {
    const body = {
      'entity-type': 'document',
      type: 'File',
      name: 'fields',
      properties: {
        'file:content': { content: 'grüße', name: 'a.txt', 'mime-type': 'text/csv', encoding: 'UTF-8' },
      },
    };
    const { body: document } = await server.request
      .post('/api/v1/path/default-domain/workspaces')
      .set('Host', 'content.example:8443')
      .send(body)
      .expect(201);
    const { uid, changeToken } = document;
    const url = `http://content.example:8443/api/v1/repo/default/id/${uid}/@blob/file:content?changeToken=${changeToken}`;
    expect(document.properties['file:content']).toEqual({
      name: 'a.txt',
      'mime-type': 'text/csv',
      encoding: 'UTF-8',
      digestAlgorithm: 'SHA-256',
      digest: sha256('grüße'),
      length: '7',
      data: url,
      blobUrl: url,
    });
  });

  test('is null where there is none', async () => {
    const { properties } = await createDocument(server);
    expect(properties['file:content']).toBeNull();
    expect(properties['files:files']).toEqual([]);
  });

  test('of a list has its place in the address', async () => {
    const { uid, properties } = await createWithFiles(server, ['one', 'two']);
    const files = properties['files:files'] as Array<{ file: { data: string; digest: string } }>;
    expect(files.map(({ file }) => new URL(file.data).pathname)).toEqual([
      `/api/v1/repo/default/id/${uid}/@blob/files:files/0/file`,
      `/api/v1/repo/default/id/${uid}/@blob/files:files/1/file`,
    ]);
    expect(files.map(({ file }) => file.digest)).toEqual([sha256('one'), sha256('two')]);
  });

  test('of another schema is shown alike', async () => {
    const { uid, properties } = await createDocument(server, {
      type: 'Picture',
      properties: { 'picture:views': [{ title: 'Small', content: { content: 'x' } }] },
    });
    const [view] = properties['picture:views'] as Array<{ content: { data: string } }>;
    expect(new URL(view?.content.data ?? '').pathname).toBe(
      `/api/v1/repo/default/id/${uid}/@blob/picture:views/0/content`,
    );
  });

  test('costs no statement of its own', async () => {
    const bare = await createDocument(server);
    const full = await createWithFiles(server, ['one', 'two', 'three', 'four']);
    const [one, other] = await Promise.all(
      [bare, full].map(({ uid }) => server.request.get(`/api/v1/id/${uid}`).expect(200)),
    );
    expect(statements(other as never)).toBe(statements(one as never));
  });

  test('leads to its bytes', async () => {
    const document = await createFile(server, { content: 'grüße' });
    const { data, blobUrl } = blobIn(document);
    for (const url of [data, blobUrl]) {
      const { body } = await download(server, local(url)).expect(200);
      expect((body as Buffer).toString()).toBe('grüße');
    }
  });

  test('leads to its bytes with any change token, and without one', async () => {
    const { uid } = await createFile(server, { content: 'x' });
    const address = `/api/v1/repo/default/id/${uid}/@blob/file:content`;
    for (const query of ['?changeToken=99-99', '?changeToken=nonsense', '']) {
      await server.request.get(`${address}${query}`).expect(200);
    }
  });

  test('may have no encoding', async () => {
    const document = await createBinary(server, Uint8Array.of(0, 255, 13, 10), { mimeType: 'image/png' });
    expect(blobIn(document)).toMatchObject({ encoding: null, 'mime-type': 'image/png', length: '4' });
  });
});

describe('§2.1 A blob made of inline text', () => {
  test('is plain text in UTF-8 without a name unless the body says otherwise', async () => {
    const blob = blobIn(await createFile(server, { content: 'x' }));
    expect(blob).toMatchObject({ name: null, 'mime-type': 'text/plain', encoding: 'UTF-8' });
  });

  test('may be empty', async () => {
    const document = await createFile(server, { content: '' });
    expect(blobIn(document)).toMatchObject({ length: '0', digest: sha256('') });
    const { body } = await download(server, local(blobIn(document).data)).expect(200);
    expect(body).toHaveLength(0);
  });

  test('says nothing by null', async () => {
    const blob = { content: 'x', data: null, name: null, 'mime-type': null, encoding: null, digest: null };
    expect(blobIn(await createFile(server, blob))).toMatchObject({
      ...{ name: null, 'mime-type': 'text/plain', encoding: 'UTF-8' },
    });
  });

  test('keeps any name', async () => {
    const name = '  ../Grüße; "日本".txt\n';
    expect(blobIn(await createFile(server, { content: 'x', name })).name).toBe(name);
  });

  test('ignores what only answers tell: digest, length, addresses', async () => {
    const given = { content: 'x', digest: 'f'.repeat(64), length: '1000', blobUrl: 'http://example.org/' };
    const blob = blobIn(await createFile(server, given));
    expect(blob).toMatchObject({ digest: sha256('x'), length: '1' });
    expect(blob.blobUrl).not.toContain('example.org');
  });

  test('comes back character by character', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (text) => {
        const content = text.replaceAll('\0', '');
        const document = await createFile(server, { content });
        const { body } = await download(server, local(blobIn(document).data)).expect(200);
        expect((body as Buffer).toString()).toBe(content);
        expect(blobIn(document).length).toBe(String((body as Buffer).byteLength));
      }),
      { numRuns: 25 },
    );
  });
});

describe('§4.1 A blob that cannot be read', () => {
  test.each([
    ['text', 'hello'],
    ['a number', 7],
    ['a boolean', true],
    ['a list', [{ content: 'x' }]],
  ])('as %s is 400 and named', async (_, value) => {
    const body = {
      'entity-type': 'document',
      type: 'File',
      name: 'x',
      properties: { 'file:content': value },
    };
    const response = await server.request.post('/api/v1/path/').send(body).expect(400);
    expect(response.body.message).toContain('file:content');
  });

  test.each([
    ['nothing', {}],
    ['neither data nor content', { name: 'a.txt', 'mime-type': 'text/plain' }],
    ['content that is no text', { content: 7 }],
    ['data that is no text', { data: { content: 'x' } }],
  ])('with %s is 400 and named', async (_, blob) => {
    const body = { 'entity-type': 'document', type: 'File', name: 'x', properties: { 'file:content': blob } };
    const response = await server.request.post('/api/v1/path/').send(body).expect(400);
    expect(response.body.message).toContain('file:content');
  });

  test.each([
    [
      'a field that no blob has',
      { content: 'x', nonsense: 1, constructor: null },
      ['"nonsense"', '"constructor"'],
    ],
    ['the key of a foreign store', { providerId: 'p', key: 'k' }, ['"providerId"', '"key"']],
    ['a name that is no text', { content: 'x', name: 7 }, ['"name"']],
    ['a mime type that is no text', { content: 'x', 'mime-type': ['text/plain'] }, ['"mime-type"']],
    ['an encoding that is no text', { content: 'x', encoding: false }, ['"encoding"']],
  ])('with %s is 400 and named, wherever it is sent', async (_, blob, names) => {
    const kept = await createFile(server, { content: 'stays' });
    const body = { 'entity-type': 'document', type: 'File', name: 'x', properties: { 'file:content': blob } };
    const sent = [server.request.post('/api/v1/path/').send(body), put(server, kept.uid, body.properties)];
    for (const { body: answer } of await Promise.all(sent.map((each) => each.expect(400)))) {
      for (const name of ['file:content', ...names]) expect(answer.message).toContain(name);
    }
    expect(await readDocument(server, kept.uid)).toMatchObject({ changeToken: kept.changeToken });
  });

  test('inside a list is named with its place', async () => {
    const files = [{ file: { content: 'x' } }, { file: {} }];
    const body = { 'entity-type': 'document', type: 'File', name: 'x', properties: { 'files:files': files } };
    const response = await server.request.post('/api/v1/path/').send(body).expect(400);
    expect(response.body.message).toContain('files:files/1/file');
  });

  test.each([
    'text',
    'text/',
    '/plain',
    'text/plain\r\nX-Evil: 1',
    'text/plain\n',
    'text/pl\u0001ain',
    'text/plain; a=b\r\nc',
    'text/plain; a="b\r\nc"',
    'text / plain',
    'tëxt/plain',
    '',
  ])('with the mime type %j is 400', async (type) => {
    const blob = { content: 'x', 'mime-type': type };
    const body = { 'entity-type': 'document', type: 'File', name: 'x', properties: { 'file:content': blob } };
    const response = await server.request.post('/api/v1/path/').send(body).expect(400);
    expect(response.body.message).toContain('file:content');
  });

  test('with a mime type beyond Latin-1 is 400', async () => {
    const blob = { content: 'x', 'mime-type': 'text/plain; name="中"' };
    const body = { 'entity-type': 'document', type: 'File', name: 'x', properties: { 'file:content': blob } };
    await server.request.post('/api/v1/path/').send(body).expect(400);
  });

  test.each(['UTF-8\r\nX: 1', 'UTF 8', 'utf-8;', 'ütf', ''])(
    'with the encoding %j is 400',
    async (encoding) => {
      const blob = { content: 'x', encoding };
      const body = {
        'entity-type': 'document',
        type: 'File',
        name: 'x',
        properties: { 'file:content': blob },
      };
      const response = await server.request.post('/api/v1/path/').send(body).expect(400);
      expect(response.body.message).toContain('file:content');
    },
  );

  test.each([
    'text/plain',
    'application/vnd.oasis.opendocument.text',
    'image/svg+xml',
    'text/plain; charset=utf-8',
  ])('is not one with the mime type %j', async (type) => {
    const document = await createFile(server, { content: 'x', 'mime-type': type });
    expect(blobIn(document)['mime-type']).toBe(type);
    const response = await download(server, local(blobIn(document).data)).expect(200);
    expect(response.headers['content-type']).toContain(type);
  });
});
