import { describe, expect, test } from '@jest/globals';
import type supertest from 'supertest';
import { type Permission, permissions } from '../../../../src/security/permissions.ts';
import { deny, grant, setAcl } from '../../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../../support/documents.ts';
import { contentOf } from '../../../support/permission-table.ts';
import { useServer } from '../../../support/server.ts';
import { useUser } from '../../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const body = (rest: object) => ({ 'entity-type': 'document', ...rest });
const child = body({ name: 'child', type: 'File', properties: { 'dc:title': 'Child' } });

interface Call {
  readonly name: string;
  readonly success: number;
  /** The needed permissions on the document; `above` is the one on its parent. */
  readonly needs: readonly Permission[];
  readonly above?: Permission;
  readonly send: (address: string) => supertest.Test;
}

/** §4.1: the minimal permissions of each call. */
const calls: readonly Call[] = [
  { name: 'GET', success: 200, needs: ['Read'], send: (at) => bob.get(at) },
  { name: 'HEAD', success: 200, needs: ['Read'], send: (at) => bob.head(at) },
  { name: 'GET @children', success: 200, needs: ['Read'], send: (at) => bob.get(`${at}/@children`) },
  { name: 'GET @blob', success: 200, needs: ['Read'], send: (at) => bob.get(`${at}/@blob`) },
  {
    name: 'GET @blob/files:files/0/file',
    success: 200,
    needs: ['Read'],
    send: (at) => bob.get(`${at}/@blob/files:files/0/file`),
  },
  { name: 'GET @acl', success: 200, needs: ['Read'], send: (at) => bob.get(`${at}/@acl`) },
  { name: 'GET @bo', success: 200, needs: ['Read'], send: (at) => bob.get(`${at}/@bo/BusinessAdapter`) },
  {
    name: 'PUT @bo',
    success: 200,
    needs: ['Read', 'WriteProperties'],
    send: (at) => bob.put(`${at}/@bo/File`).send({ 'entity-type': 'File', value: { title: 'Changed' } }),
  },
  {
    name: 'POST @bo',
    success: 201,
    needs: ['AddChildren'],
    send: (at) => bob.post(`${at}/@bo/File/child`).send({ 'entity-type': 'File', value: {} }),
  },
  { name: 'GET @comment', success: 200, needs: ['Read'], send: (at) => bob.get(`${at}/@comment`) },
  {
    name: 'POST @comment',
    success: 201,
    needs: ['Read'],
    send: (at) => bob.post(`${at}/@comment`).send({ 'entity-type': 'comment', text: 'mine' }),
  },
  {
    name: 'PUT @comment of another user',
    success: 200,
    needs: ['Everything'],
    send: (at) =>
      bob.put(`${at}/@comment/external/theirs`).send({ 'entity-type': 'comment', text: 'changed' }),
  },
  {
    name: 'DELETE @comment of another user',
    success: 204,
    needs: ['Everything'],
    send: (at) => bob.delete(`${at}/@comment/external/theirs`),
  },
  { name: 'GET @annotation', success: 200, needs: ['Read'], send: (at) => bob.get(`${at}/@annotation`) },
  {
    name: 'POST @annotation',
    success: 201,
    needs: ['Read'],
    send: (at) =>
      bob
        .post(`${at}/@annotation`)
        .send({ 'entity-type': 'annotation', text: 'mine', xpath: 'file:content' }),
  },
  {
    name: 'PUT @annotation of another user',
    success: 200,
    needs: ['Everything'],
    send: (at) =>
      bob.put(`${at}/@annotation/external/theirs`).send({ 'entity-type': 'annotation', text: 'changed' }),
  },
  {
    name: 'DELETE @annotation of another user',
    success: 204,
    needs: ['Everything'],
    send: (at) => bob.delete(`${at}/@annotation/external/theirs`),
  },
  { name: 'POST', success: 201, needs: ['AddChildren'], send: (at) => bob.post(at).send(child) },
  {
    name: 'PUT',
    success: 200,
    needs: ['WriteProperties'],
    send: (at) => bob.put(at).send(body({ properties: { 'dc:title': 'Changed' } })),
  },
  {
    name: 'DELETE',
    success: 204,
    needs: ['Remove'],
    above: 'RemoveChildren',
    send: (at) => bob.delete(at),
  },
];

interface Places {
  readonly folder: DocumentEntity;
  readonly document: DocumentEntity;
}

/** Creates a document with blobs in its own folder; bob has no permissions on either yet. */
async function place(hasComments = false): Promise<Places> {
  const folder = await createDocument(server, { type: 'Folder' });
  const blob = { content: 'text', name: 'a.txt' };
  const document = await createDocument(server, {
    parent: folder.path,
    properties: { 'file:content': blob, 'files:files': [{ file: blob }] },
  });
  for (const kind of hasComments ? ['comment', 'annotation'] : [])
    await server.request
      .post(`/api/v1/id/${document.uid}/@${kind}`)
      .send({ 'entity-type': kind, text: 'theirs', entityId: 'theirs', xpath: 'file:content' })
      .expect(201);
  return { folder, document };
}

/** Grants bob exactly `here` on the document and `above` on its folder, without inheritance. */
async function allow({ folder, document }: Places, here: Permission[], above: Permission[]): Promise<void> {
  const block = deny('Everyone', 'Everything');
  await setAcl(server, document.path, [...here.map((permission) => grant('bob', permission)), block]);
  await setAcl(server, folder.path, [...above.map((permission) => grant('bob', permission)), block]);
}

const addresses: ReadonlyArray<[string, (document: DocumentEntity) => string]> = [
  ['by path', ({ path }) => `/api/v1/path${path}`],
  ['by id', ({ uid }) => `/api/v1/id/${uid}`],
];

const inBulk = calls
  .filter(({ name }) => ['GET', 'HEAD', 'PUT', 'DELETE'].includes(name))
  .map((call) => ({
    by: 'by a list of ids',
    addressOf: ({ uid }: DocumentEntity) => `/api/v1/bulk;id=${uid}`,
    ...call,
  }));

const cases = [
  ...addresses.flatMap(([by, addressOf]) => calls.map((call) => ({ by, addressOf, ...call }))),
  ...inBulk,
];

describe('§4.1, §4.2 the permissions that a call needs', () => {
  test.each(cases)('$name $by needs exactly the named permissions', async (call) => {
    const places = await place(/^\w+ @(comment|annotation)/.test(call.name));
    const containing = (wanted: Permission) => (other: Permission) => contentOf(other).has(wanted);
    const others = permissions.filter(
      (permission) => !call.needs.some((need) => containing(need)(permission)),
    );
    await allow(places, others, ['Everything']);
    const written = 'SELECT count(*)::int, sum(xmin::text::bigint)::text FROM document';
    const stored = () => server.database.prisma.$queryRawUnsafe(written);
    const before = await stored();
    expect((await call.send(call.addressOf(places.document))).status).toBe(403);
    expect(await stored()).toEqual(before);
    await allow(places, [...call.needs], call.above ? [call.above] : []);
    expect((await call.send(call.addressOf(places.document))).status).toBe(call.success);
  });

  test.each(addresses)('DELETE %s answers 403 without RemoveChildren on the parent', async (_, addressOf) => {
    const places = await place();
    await allow(places, ['Everything'], ['Read', 'WriteProperties', 'AddChildren', 'WriteLifeCycle']);
    const response = await bob.delete(addressOf(places.document)).expect(403);
    expect(response.body.message).toBe(
      `Privilege 'RemoveChildren' is not granted to 'bob' on the document at ${places.folder.path}.`,
    );
    await server.request.get(`/api/v1/id/${places.document.uid}`).expect(200);
  });

  test('DELETE needs no permissions on descendants', async () => {
    const { folder, document } = await place();
    await setAcl(server, document.path, [deny('Everyone', 'Everything')]);
    await setAcl(server, folder.path, [grant('bob', 'Remove')]);
    await setAcl(server, '/default-domain/workspaces', [grant('bob', 'RemoveChildren')]);
    await bob.delete(`/api/v1/id/${folder.uid}`).expect(204);
    await server.request.get(`/api/v1/id/${document.uid}`).expect(404);
    await setAcl(server, '/default-domain/workspaces', []);
  });
});

describe('§4 the error of a refused call', () => {
  test('names the permission and the user, but not the path', async () => {
    const { folder, document } = await place();
    await allow({ folder, document }, [], []);
    const response = await bob.get(`/api/v1/id/${document.uid}`).expect(403);
    expect(response.body).toMatchObject({
      'entity-type': 'exception',
      status: 403,
      message: `Privilege 'Read' is not granted to 'bob' on the document with the id ${document.uid}.`,
    });
    expect(response.text).not.toContain(document.path);
  });

  test('is 404 when the document does not exist', async () => {
    await bob.get('/api/v1/path/nosuch').expect(404);
    await bob.get('/api/v1/id/00000000-0000-4000-8000-000000000000').expect(404);
    await bob.get('/api/v1/id/nosuch/@acl').expect(404);
  });

  test('is 403 for DELETE of the root with any permission', async () => {
    await bob.delete('/api/v1/path/').expect(403);
    await server.request.delete('/api/v1/path/').expect(403);
  });
});

describe('§2.5 a user with WriteProperties but without Read', () => {
  test('does not get the properties in the answer to PUT', async () => {
    const places = await place();
    await allow(places, ['WriteProperties'], []);
    const title = { properties: { 'dc:title': 'Secret' } };
    await server.request.put(`/api/v1/id/${places.document.uid}`).send(body(title)).expect(200);
    const { body: seen } = await bob.put(`/api/v1/id/${places.document.uid}`).send(body({})).expect(200);
    expect(JSON.stringify(seen)).not.toContain('Secret');
    expect(JSON.stringify(seen)).not.toContain('a.txt');
    expect(seen).toMatchObject({ uid: places.document.uid, title: places.document.name, isTrashed: false });
  });

  test.each([
    ['PUT', (id: string) => bob.put(`/api/v1/id/${id}`).send(body({ properties: { 'dc:rights': 'mine' } }))],
    [
      'an operation',
      (id: string) =>
        bob
          .post('/api/v1/automation/Document.SetProperty')
          .send({ input: id, params: { xpath: 'dc:rights', value: 'mine' } }),
    ],
  ])('gets no properties from %s: the answer, sent back, changes nothing', async (_, write) => {
    const places = await place();
    await allow(places, ['WriteProperties'], []);
    const address = `/api/v1/id/${places.document.uid}`;
    const title = { properties: { 'dc:title': 'Secret' } };
    await server.request.put(address).send(body(title)).expect(200);
    const { body: seen } = await write(places.document.uid).expect(200);
    expect(seen.properties).toEqual({});
    await bob.put(address).send(seen).expect(200);
    const { body: after } = await server.request.get(address).expect(200);
    expect(after.properties).toMatchObject({ 'dc:title': 'Secret', 'dc:rights': 'mine' });
  });

  test('cannot copy a blob from a document without Read on it', async () => {
    const places = await place();
    await allow(places, [], ['Everything']);
    const data = (places.document.properties['file:content'] as { data: string }).data;
    const create = (name: string) =>
      bob
        .post(`/api/v1/id/${places.folder.uid}`)
        .send(body({ name, type: 'File', properties: { 'file:content': { data } } }));
    const { body: refused } = await create('stolen').expect(403);
    expect(refused.message).toBe(
      `Privilege 'Read' is not granted to 'bob' on the document with the id ${places.document.uid}.`,
    );
    await allow(places, ['Read'], ['Everything']);
    const { body: copied } = await create('copied').expect(201);
    expect(copied.properties['file:content']).toMatchObject({ name: 'a.txt' });
    const left = await server.request.get(`/api/v1/path${places.folder.path}/stolen`);
    expect(left.status).toBe(404);
  });

  test('can keep the existing blob in an update', async () => {
    const places = await place();
    await allow(places, ['WriteProperties'], []);
    const kept = { 'file:content': places.document.properties['file:content'] };
    await bob
      .put(`/api/v1/id/${places.document.uid}`)
      .send(body({ properties: kept }))
      .expect(200);
    const { body: after } = await server.request.get(`/api/v1/id/${places.document.uid}`).expect(200);
    expect(after.properties['file:content']).toMatchObject({ name: 'a.txt' });
  });
});
