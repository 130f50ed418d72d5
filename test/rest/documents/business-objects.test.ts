import { beforeAll, describe, expect, test } from '@jest/globals';
import { exchange, parseAnswer } from '../../fuzz/raw.ts';
import { authorization } from '../../support/administrator.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { askGraphql, exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer(
  {},
  {
    schemas: [
      { name: 'clash', prefix: 'cl', fields: { id: 'string', type: 'string', title: 'string', own: 'long' } },
    ],
    types: [{ name: 'Memo', parent: 'Note', schemas: ['clash'] }],
  },
);
let memo: DocumentEntity;
beforeAll(async () => {
  const properties = { 'dc:title': 'A', 'note:note': 'text', 'cl:title': 'B', 'cl:type': 'C', 'cl:own': 3 };
  memo = await createDocument(server, { type: 'Memo', properties });
});

const at = (name: string) => `/api/v1/id/${memo.uid}/@bo/${name}`;

describe('§4.7 @bo', () => {
  test('answers a flat object to a request as clients send it', async () => {
    const lines = [
      `GET ${at('BusinessAdapter')} HTTP/1.1`,
      'Host: localhost',
      'Accept: application/json',
      `Authorization: ${authorization}`,
      'Connection: close',
    ];
    const { status, body } = parseAnswer(
      await exchange(await server.listen(), Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)),
    );
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toEqual({
      'entity-type': 'BusinessAdapter',
      value: expect.objectContaining({ id: memo.uid, type: 'Memo', note: 'text', own: 3, subjects: [] }),
    });
  });

  test('keeps the prefixes of properties whose names are taken', async () => {
    const { value } = (await server.request.get(at('BusinessAdapter')).expect(200)).body;
    expect(value).toMatchObject({ 'dc:title': 'A', 'cl:title': 'B', 'cl:type': 'C', 'cl:id': null });
    expect(value).not.toHaveProperty('title');
  });

  test.each(['Memo', 'Note', 'Document'])(
    'takes the type of the document and those above it: %s',
    async (name) => {
      const { body } = await server.request.get(`/api/v1/path${memo.path}/@bo/${name}`).expect(200);
      expect(body).toMatchObject({ 'entity-type': name, value: { id: memo.uid, type: 'Memo' } });
    },
  );

  test.each(['File', 'memo', 'nosuch', '__proto__', 'constructor'])('does not know %s', async (name) => {
    const known = 'Memo, Note, Document, BusinessAdapter';
    const { body } = await server.request.get(at(name)).expect(404);
    expect(body).toMatchObject(
      exception(404, `This document has no business object ${name}; available are ${known}.`),
    );
  });

  test('needs a name, and a document', async () => {
    await server.request.get(`/api/v1/id/${memo.uid}/@bo`).expect(404);
    await server.request.get('/api/v1/path/nosuch/@bo/Memo').expect(404);
  });

  test('is in GraphQL, and costs as many statements as the document', async () => {
    const query = `{ document(id: "${memo.uid}") { businessObject(name: "Memo") { name value } } }`;
    expect(await askGraphql(server.request, query)).toMatchObject({
      document: { businessObject: { name: 'Memo', value: { own: 3 } } },
    });
    const cost = async (address: string) => statements(await server.request.get(address).expect(200));
    expect(await cost(at('Memo'))).toBe(await cost(`/api/v1/id/${memo.uid}`));
  });
});

const bodyOf = (entityType: string, value: unknown) => ({ 'entity-type': entityType, value });

// §4.7
describe('PUT @bo', () => {
  test('takes the object back as it was answered, changed in some properties', async () => {
    const file = await createDocument(server, { properties: { 'dc:title': 'before' } });
    const { body } = await server.request.get(`/api/v1/id/${file.uid}/@bo/File`).expect(200);
    const value = { ...body.value, title: 'after', 'dc:source': 'there', subjects: ['art'] };
    const { source: _, ...sent } = value;
    const put = server.request.put(`/api/v1/path${file.path}/@bo/File`).send(bodyOf('File', sent));
    expect((await put.expect(200)).body).toMatchObject({
      'entity-type': 'File',
      value: { id: file.uid, type: 'File', title: 'after', source: 'there', subjects: ['art'] },
    });
    const { properties } = (await server.request.get(`/api/v1/id/${file.uid}`).set('properties', '*')).body;
    expect(properties).toMatchObject({ 'dc:title': 'after', 'dc:source': 'there', 'dc:subjects': ['art'] });
  });

  test('keeps the properties that it is not sent, and refuses an old change token', async () => {
    const properties = { 'dc:title': 'kept', 'dc:source': 'there' };
    const { uid } = await createDocument(server, { properties });
    const put = (value: object, token: string) =>
      server.request.put(`/api/v1/id/${uid}/@bo/File`).set('If-Match', token).send(bodyOf('File', value));
    const { body } = await put({ source: null }, '"0-0"').expect(200);
    expect(body.value).toMatchObject({ title: 'kept', source: null });
    await put({ title: 'lost' }, '"0-0"').expect(412);
  });

  test.each<[string, unknown, number, string]>([
    ['no body', undefined, 400, 'The body is missing.'],
    ['no value', { 'entity-type': 'Memo' }, 400, 'value must be an object.'],
    ['another entity type', bodyOf('File', {}), 400, 'entity-type must be "Memo"; got "File".'],
    ['an unknown name', bodyOf('Memo', { odd: 1 }), 400, 'value: the document has no property odd'],
    [
      'a name that two schemas have',
      bodyOf('Memo', { title: 'x' }),
      400,
      'value: the document has no property title',
    ],
    ['another id', bodyOf('Memo', { id: 'x' }), 400, 'uid: The body has the id x, '],
    ['another type', bodyOf('Memo', { type: 'File' }), 400, 'type: the object has the type File, '],
    ['a value of another type', bodyOf('Memo', { note: { a: 1 } }), 400, 'Unable to deserialize property'],
  ])('refuses %s', async (_, body, status, message) => {
    const sent = server.request.put(at('Memo')).send(body as object);
    expect((await sent.expect(status)).body.message).toContain(message);
  });

  test('does not know other objects and documents', async () => {
    await server.request.put(at('File')).send(bodyOf('File', {})).expect(404);
    await server.request.put('/api/v1/path/nosuch/@bo/File').send(bodyOf('File', {})).expect(404);
  });
});

// §4.7
describe('POST @bo', () => {
  test('creates a document of the type that the object is named after', async () => {
    const parent = await createDocument(server, { type: 'Folder' });
    const post = server.request.post(`/api/v1/path${parent.path}/@bo/Memo/first`);
    const { body } = await post.send(bodyOf('Memo', { note: 'text', own: 3, 'dc:title': 'A' })).expect(201);
    expect(body).toMatchObject({ 'entity-type': 'Memo', value: { type: 'Memo', note: 'text', own: 3 } });
    const made = (await server.request.get(`/api/v1/path${parent.path}/first`).expect(200)).body;
    expect(made).toMatchObject({ uid: body.value.id, type: 'Memo', title: 'A' });
  });

  test('creates one of the type in the object, which may be of that name or inherit from it', async () => {
    const { uid } = await createDocument(server, { type: 'Folder' });
    const post = (name: string, type: string) =>
      server.request.post(`/api/v1/id/${uid}/@bo/${name}/of-${name}`).send(bodyOf(name, { type }));
    for (const name of ['BusinessAdapter', 'Document', 'Note'])
      expect((await post(name, 'Memo').expect(201)).body.value.type).toBe('Memo');
    await post('Note', 'File').expect(404);
  });

  test.each<[string, string, unknown, number]>([
    ['no type', 'BusinessAdapter', {}, 400],
    ['an unknown type', 'Memo', { type: 'Nosuch' }, 400],
    ['a type that is no text', 'Memo', { type: 1 }, 400],
    ['an unknown name', 'Memo', { odd: 1 }, 400],
  ])('refuses %s', async (_, name, value, status) => {
    const { uid } = await createDocument(server, { type: 'Folder' });
    const { body } = await server.request
      .post(`/api/v1/id/${uid}/@bo/${name}/one`)
      .send(bodyOf(name, value))
      .expect(status);
    expect(body.status).toBe(status);
    const { entries } = (await server.request.get(`/api/v1/id/${uid}/@children`).expect(200)).body;
    expect(entries).toEqual([]);
  });

  test('does not know other parents', async () => {
    const sent = server.request.post('/api/v1/path/nosuch/@bo/File/one').send(bodyOf('File', {}));
    await sent.expect(404);
  });
});
