import { beforeAll, describe, expect, test } from '@jest/globals';
import { decided, updateDocument } from '../../web/src/graphql/operations.ts';
import { grant, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { calling } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';

// These fields are for programs, such as the console, which read no messages.

const server = useServer();
const bob = useUser(server, 'bob');
let [readable, writable]: DocumentEntity[] = [];
beforeAll(async () => {
  readable = await createDocument(server, { type: 'File' });
  writable = await createDocument(server, { type: 'File' });
  await setAcl(server, readable.path, [grant('bob', 'Read')]);
  await setAcl(server, writable.path, [grant('bob', 'ReadWrite')]);
  await calling(server)('Document.Lock', writable.uid).expect(200);
});

const extensionsOf = async (text: string, variables: object, request = bob) => {
  const { body } = await request.post('/graphql').send({ query: text, variables }).expect(200);
  expect(body.errors).toHaveLength(1);
  return body.errors[0].extensions;
};

describe('The extensions of an error of GraphQL', () => {
  test('name the permission, the user and the document of a refused write', async () => {
    const document = { properties: { 'dc:title': 'x' } };
    expect(await extensionsOf(updateDocument.text, { id: readable?.uid, document })).toEqual({
      code: 'FORBIDDEN',
      permission: 'WriteProperties',
      user: 'bob',
      document: readable?.uid,
    });
  });

  test('name the permission, the user and the document of a refused read', async () => {
    const { uid } = await createDocument(server, { type: 'File' });
    expect(await extensionsOf(decided.text, { id: uid })).toEqual({
      code: 'FORBIDDEN',
      permission: 'Read',
      user: 'bob',
      document: uid,
    });
  });

  test('name the owner of a lock', async () => {
    const document = { properties: { 'dc:title': 'x' } };
    expect(await extensionsOf(updateDocument.text, { id: writable?.uid, document })).toEqual({
      code: 'FORBIDDEN',
      lockOwner: 'Administrator',
      user: 'bob',
      document: writable?.uid,
    });
  });

  test('name a document that does not exist', async () => {
    const query = 'mutation { deleteDocument(path: "/nosuch") }';
    expect(await extensionsOf(query, {}, server.request)).toEqual({ code: 'NOT_FOUND', document: '/nosuch' });
  });

  test('are cut, because the address of a document can be as long as a body', async () => {
    const { document } = await extensionsOf(updateDocument.text, { id: 'x'.repeat(100_000), document: {} });
    expect(document).toBe(`${'x'.repeat(20_000)}…`);
  });
});
