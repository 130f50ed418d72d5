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
      exception(404, `there is no business object ${name} of this document: ${known}`),
    );
  });

  test('is read only, needs a name, and a document', async () => {
    await server.request.put(at('Memo')).send({}).expect(405);
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
