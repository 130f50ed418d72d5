import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { asText, call } from './calls.ts';

let server: TestServer;
let bob: TestServer['request'];
beforeAll(async () => {
  server = await start();
  await createUser(server, 'bob');
  bob = as(server, 'bob');
});
afterAll(() => server.stop());

const run = (id: string, given: Parameters<typeof call>[2]) => call(server.request, id, given);
const workspaces = '/default-domain/workspaces';
const block = deny('Everyone', 'Everything');

/** Folders one in the other. */
async function nested(...names: string[]): Promise<DocumentEntity[]> {
  const made: DocumentEntity[] = [];
  for (const name of names) {
    const parent = made.at(-1)?.path ?? workspaces;
    made.push(await createDocument(server, { parent, name, type: 'Folder' }));
  }
  return made;
}

const paths = (body: { entries: Array<{ path: string }> }) => body.entries.map(({ path }) => path);

describe('Document.GetParent', () => {
  test('answers the folder, or nothing for the root', async () => {
    const { uid } = await createDocument(server);
    expect((await run('Document.GetParent', { input: uid }).expect(200)).body.path).toBe(workspaces);
    await run('Document.GetParent', { input: '/' }).expect(204);
  });

  test('answers the nearest ancestor of a type, or nothing', async () => {
    const [, , inner] = await nested('p1', 'p2', 'p3');
    const of = (type: string) => run('Document.GetParent', { input: inner?.uid, params: { type } });
    expect((await of('Folder').expect(200)).body.name).toBe('p2');
    expect((await of('Domain').expect(200)).body.path).toBe('/default-domain');
    await of('Collection').expect(204);
  });

  test('answers those of a list, at a cost that does not depend on its length', async () => {
    const made = await nested('q1', 'q2', 'q3');
    const ask = (input: unknown) =>
      run('Document.GetParent', { input, params: { type: 'Domain' } }).expect(200);
    const all = await ask([...made.map(({ uid }) => uid), '/']);
    expect(paths(all.body)).toEqual(['/default-domain', '/default-domain', '/default-domain']);
    const two = await ask([made[0]?.uid, made[1]?.uid]);
    expect(statements(all)).toBeLessThanOrEqual(statements(two) + 1); // one more for those named by path
  });

  test('needs Read on the document and on whatever is on the way', async () => {
    const [outer, inner] = await nested('r1', 'r2');
    const ask = (type?: string) => call(bob, 'Document.GetParent', { input: inner?.uid, params: { type } });
    await setAcl(server, inner?.path ?? '', [block]);
    await ask().expect(403);
    await setAcl(server, inner?.path ?? '', [grant('bob', 'Read'), block]);
    await ask().expect(403);
    await setAcl(server, outer?.path ?? '', [grant('bob', 'Read')]);
    await ask().expect(200);
    await ask('Domain').expect(403);
  });

  test('refuses a type that is no text', async () => {
    await run('Document.GetParent', { input: '/', params: { type: {} } }).expect(400);
  });
});

describe('Document.GetChild', () => {
  test('answers the child of a name', async () => {
    const { body } = await run('Document.GetChild', { input: '/', params: { name: 'default-domain' } });
    expect(body.path).toBe('/default-domain');
    const list = await run('Document.GetChild', { input: ['/', '/'], params: { name: 'default-domain' } });
    expect(paths(list.body)).toEqual(['/default-domain', '/default-domain']);
  });

  test.each(['nosuch', 'default-domain/workspaces', '', '..', '\u00e9'])('is 404 for %j', async (name) => {
    await run('Document.GetChild', { input: '/', params: { name } }).expect(404);
  });

  test('needs Read on both', async () => {
    const [outer, inner] = await nested('s1', 's2');
    const ask = () => call(bob, 'Document.GetChild', { input: outer?.uid, params: { name: 's2' } });
    await ask().expect(403);
    await setAcl(server, outer?.path ?? '', [grant('bob', 'Read')]);
    await ask().expect(200);
    await setAcl(server, inner?.path ?? '', [block]);
    await ask().expect(403);
  });

  test('refuses to guess the name', async () => {
    const { body } = await run('Document.GetChild', { input: '/', params: {} }).expect(400);
    expect(body.message).toBe('name: is missing');
  });
});

describe('Document.GetChildren', () => {
  test('answers all children, hidden ones too, that may be read', async () => {
    const [folder] = await nested('t1');
    const parent = folder?.path ?? '';
    for (const [name, type] of [
      ['a', 'File'],
      ['b', 'HiddenFolder'],
      ['c', 'File'],
    ] as const)
      await createDocument(server, { parent, name, type });
    await createDocument(server, { parent: `${parent}/b`, name: 'deep' });
    const { body } = await run('Document.GetChildren', { input: parent }).expect(200);
    expect(Object.keys(body)).toEqual(['entity-type', 'entries']);
    expect(paths(body)).toEqual([`${parent}/a`, `${parent}/b`, `${parent}/c`]);
    await setAcl(server, parent, [grant('bob', 'Read')]);
    await setAcl(server, `${parent}/c`, [block]);
    const seen = await call(bob, 'Document.GetChildren', { input: parent }).expect(200);
    expect(paths(seen.body)).toEqual([`${parent}/a`, `${parent}/b`]);
  });

  test('answers at a cost that does not depend on their number', async () => {
    const [few, many] = await nested('u1', 'u2');
    for (let index = 0; index < 5; index += 1) await createDocument(server, { parent: many?.path ?? '' });
    const ask = async (input: unknown) =>
      statements(await run('Document.GetChildren', { input }).expect(200));
    expect(await ask(many?.uid)).toBe(await ask(few?.uid));
    expect(await ask(many?.uid)).toBe(2);
  });

  test('answers the first 1000, and how many there are', async () => {
    const [folder] = await nested('crowd');
    const row = await server.database.prisma.document.findFirstOrThrow({ where: { id: folder?.uid ?? '' } });
    const { acl_id: _, ...rest } = { acl_id: '', ...row };
    const data = Array.from({ length: 1001 }, (__, index) => ({
      ...rest,
      ...{ id: crypto.randomUUID(), parentId: row.id, ancestorIds: [...row.ancestorIds, row.id] },
      ...{ name: `n${index}`, path: `${row.path}/n${index}`, title: `n${index}`, properties: {} },
    }));
    await server.database.prisma.document.createMany({ data });
    const { body } = await run('Document.GetChildren', { input: folder?.uid }).set('properties', 'common');
    expect([body.entries.length, body.resultsCount]).toEqual([1000, 1001]);
  });

  test('needs Read', async () => {
    const [folder] = await nested('v1');
    await setAcl(server, folder?.path ?? '', [grant('bob', 'ReadChildren'), block]);
    await call(bob, 'Document.GetChildren', { input: folder?.uid }).expect(403);
  });

  test('refuses what is not there', async () => {
    await run('Document.GetChildren', { input: '/nosuch' }).expect(404);
    await run('Document.GetChildren', {}).expect(400);
  });
});

describe('Repository.GetDocument', () => {
  test('answers a document by its id, its path or its entity', async () => {
    const entity = await createDocument(server);
    for (const value of [entity.uid, entity.path, `doc:${entity.uid}`, entity]) {
      const { body } = await run('Repository.GetDocument', { params: { value } }).expect(200);
      expect(body).toEqual(entity);
    }
    expect(statements(await run('Document.Fetch', { params: { value: entity.uid } }))).toBe(1);
  });

  test('needs Read', async () => {
    const { uid } = await createDocument(server);
    await call(bob, 'Repository.GetDocument', { params: { value: uid } }).expect(403);
  });

  test('refuses what names none', async () => {
    await run('Repository.GetDocument', { params: { value: 'nosuch' } }).expect(404);
    await run('Repository.GetDocument', { params: { value: '/no/such' } }).expect(404);
    await run('Repository.GetDocument', { params: {} }).expect(400);
    for (const value of ['', 'doc:', ' ']) {
      const { body } = await run('Repository.GetDocument', { params: { value } }).expect(400);
      expect(body.message).toBe('a document is named by its id or its path');
    }
  });
});

describe('Document.GetBlob', () => {
  const get = (input: unknown, params: Record<string, unknown> = {}) =>
    asText(run('Document.GetBlob', { input, params }));

  test('answers the bytes, with type and name', async () => {
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

  test('answers them whole, whatever range or condition is sent', async () => {
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

  test('answers the blob at an xpath, and the main one where there is none', async () => {
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

  test('answers the text of a note', async () => {
    const properties = { 'note:note': '# é', 'note:mime_type': 'text/markdown' };
    const { uid } = await createDocument(server, { type: 'Note', properties });
    const response = await get(uid).expect(200);
    expect(response.body).toBe('# é');
    expect(response.headers['content-type']).toBe('text/markdown; charset=UTF-8');
  });

  test('answers an empty file where there is none', async () => {
    const { uid, name } = await createDocument(server, { type: 'Folder' });
    const response = await get(uid).expect(200);
    expect(response.body).toBe('');
    expect(response.headers).toMatchObject({
      'content-length': '0',
      'content-disposition': `attachment; filename=${name}.null`,
    });
  });

  test('answers several as parts of one body, at the cost of one', async () => {
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

  test('refuses what is not there', async () => {
    await run('Document.GetBlob', { input: '/nosuch' }).expect(404);
    await run('Document.GetBlob', { input: '/', params: { xpath: ['a'] } }).expect(400);
  });
});
