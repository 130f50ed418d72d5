import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const run = (id: string, given: Parameters<typeof call>[2]) => call(server.request, id, given);
const workspaces = '/default-domain/workspaces';
const block = deny('Everyone', 'Everything');

/** Nested folders with these names. */
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
  test('answers with the folder, or 204 for the root', async () => {
    const { uid } = await createDocument(server);
    expect((await run('Document.GetParent', { input: uid }).expect(200)).body.path).toBe(workspaces);
    await run('Document.GetParent', { input: '/' }).expect(204);
  });

  test('answers with the nearest ancestor of a type, or 204', async () => {
    const [, , inner] = await nested('p1', 'p2', 'p3');
    const of = (type: string) => run('Document.GetParent', { input: inner?.uid, params: { type } });
    expect((await of('Folder').expect(200)).body.name).toBe('p2');
    expect((await of('Domain').expect(200)).body.path).toBe('/default-domain');
    await of('Collection').expect(204);
  });

  test('answers with the parents of a list at a constant cost', async () => {
    const made = await nested('q1', 'q2', 'q3');
    const ask = (input: unknown) =>
      run('Document.GetParent', { input, params: { type: 'Domain' } }).expect(200);
    const all = await ask([...made.map(({ uid }) => uid), '/']);
    expect(paths(all.body)).toEqual(['/default-domain', '/default-domain', '/default-domain']);
    const two = await ask([made[0]?.uid, made[1]?.uid]);
    expect(statements(all)).toBeLessThanOrEqual(statements(two) + 1); // one more to find documents by their paths
  });

  test('needs Read on the document and on all ancestors up to the answer', async () => {
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
  test('answers with the child of a name', async () => {
    const { body } = await run('Document.GetChild', { input: '/', params: { name: 'default-domain' } });
    expect(body.path).toBe('/default-domain');
    const list = await run('Document.GetChild', { input: ['/', '/'], params: { name: 'default-domain' } });
    expect(paths(list.body)).toEqual(['/default-domain', '/default-domain']);
  });

  test.each(['nosuch', 'default-domain/workspaces', '', '..', '\u00e9'])(
    'answers 404 for %j',
    async (name) => {
      await run('Document.GetChild', { input: '/', params: { name } }).expect(404);
    },
  );

  test('needs Read on the folder and on the child', async () => {
    const [outer, inner] = await nested('s1', 's2');
    const ask = () => call(bob, 'Document.GetChild', { input: outer?.uid, params: { name: 's2' } });
    await ask().expect(403);
    await setAcl(server, outer?.path ?? '', [grant('bob', 'Read')]);
    await ask().expect(200);
    await setAcl(server, inner?.path ?? '', [block]);
    await ask().expect(403);
  });

  test('refuses a call without a name', async () => {
    const { body } = await run('Document.GetChild', { input: '/', params: {} }).expect(400);
    expect(body.message).toBe('name is missing');
  });
});

describe('Document.GetChildren', () => {
  test('answers with all children that the caller can read, hidden ones included', async () => {
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

  test('answers with a constant number of statements', async () => {
    const [few, many] = await nested('u1', 'u2');
    for (let index = 0; index < 5; index += 1) await createDocument(server, { parent: many?.path ?? '' });
    const ask = async (input: unknown) =>
      statements(await run('Document.GetChildren', { input }).expect(200));
    expect(await ask(many?.uid)).toBe(await ask(few?.uid));
    expect(await ask(many?.uid)).toBe(2);
  });

  test('answers with the first 1000 children and the total count', async () => {
    const [folder] = await nested('crowd');
    const row = await server.database.prisma.document.findFirstOrThrow({ where: { id: folder?.uid ?? '' } });
    const { acl_id: _, ...rest } = { acl_id: '', ...row };
    const data = Array.from({ length: 1001 }, (__, index) => ({
      ...rest,
      id: crypto.randomUUID(),
      parentId: row.id,
      ancestorIds: [...row.ancestorIds, row.id],
      name: `n${index}`,
      path: `${row.path}/n${index}`,
      title: `n${index}`,
      properties: {},
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

  test('refuses an unknown document and a missing input', async () => {
    await run('Document.GetChildren', { input: '/nosuch' }).expect(404);
    await run('Document.GetChildren', {}).expect(400);
  });
});

describe('Repository.GetDocument', () => {
  test('answers with a document by its id, its path or its entity', async () => {
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

  test('refuses unknown, empty and missing references', async () => {
    await run('Repository.GetDocument', { params: { value: 'nosuch' } }).expect(404);
    await run('Repository.GetDocument', { params: { value: '/no/such' } }).expect(404);
    await run('Repository.GetDocument', { params: {} }).expect(400);
    for (const value of ['', 'doc:', ' ']) {
      const { body } = await run('Repository.GetDocument', { params: { value } }).expect(400);
      expect(body.message).toBe('The id or path of the document must not be empty.');
    }
  });
});

describe('GetRepositories', () => {
  const run = (params: Record<string, unknown> = {}) => call(server.request, 'GetRepositories', { params });

  test('answers with the names of the repositories', async () => {
    const { body } = await run().expect(200);
    expect(body).toEqual({ 'entity-type': 'list', value: ['default'] });
  });

  test('needs credentials only', async () => {
    await server.anonymous.post('/api/v1/automation/GetRepositories').send({}).expect(401);
  });

  test('refuses unknown parameters in strict requests', async () => {
    await run({ odd: 1 }).set('Prefer', 'handling=strict').expect(400);
  });
});
