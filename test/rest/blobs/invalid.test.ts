import { describe, expect, test } from '@jest/globals';
import { readDocument, updateDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { blobIn, createFile, download, local } from './blob-requests.ts';

const server = useServer();

describe('§4.1 a blob property', () => {
  test.each([
    ['text', 'hello'],
    ['a number', 7],
    ['a boolean', true],
    ['a list', [{ content: 'x' }]],
  ])('that is %s is refused with 400 and its xpath', async (_, value) => {
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
  ])('with %s is refused with 400 and its xpath', async (_, blob) => {
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
  ])('with %s is refused by POST and PUT with 400 and the names of the fields', async (_, blob, names) => {
    const kept = await createFile(server, { content: 'stays' });
    const body = { 'entity-type': 'document', type: 'File', name: 'x', properties: { 'file:content': blob } };
    const sent = [
      server.request.post('/api/v1/path/').send(body),
      updateDocument(server.request, kept.uid, body.properties),
    ];
    for (const { body: answer } of await Promise.all(sent.map((each) => each.expect(400)))) {
      for (const name of ['file:content', ...names]) expect(answer.message).toContain(name);
    }
    expect(await readDocument(server.request, kept.uid)).toMatchObject({ changeToken: kept.changeToken });
  });

  test('in a list is refused with its index', async () => {
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
  ])('with the MIME type %j is refused with 400', async (type) => {
    const blob = { content: 'x', 'mime-type': type };
    const body = { 'entity-type': 'document', type: 'File', name: 'x', properties: { 'file:content': blob } };
    const response = await server.request.post('/api/v1/path/').send(body).expect(400);
    expect(response.body.message).toContain('file:content');
  });

  test('with a MIME type beyond Latin-1 is refused with 400', async () => {
    const blob = { content: 'x', 'mime-type': 'text/plain; name="中"' };
    const body = { 'entity-type': 'document', type: 'File', name: 'x', properties: { 'file:content': blob } };
    await server.request.post('/api/v1/path/').send(body).expect(400);
  });

  test.each(['UTF-8\r\nX: 1', 'UTF 8', 'utf-8;', 'ütf', ''])(
    'with the encoding %j is refused with 400',
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
  ])('with the MIME type %j is accepted', async (type) => {
    const document = await createFile(server, { content: 'x', 'mime-type': type });
    expect(blobIn(document)['mime-type']).toBe(type);
    const response = await download(server, local(blobIn(document).data)).expect(200);
    expect(response.headers['content-type']).toContain(type);
  });
});
