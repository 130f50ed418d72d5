import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../support/acls.ts';
import { createDocument } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { call } from './calls.ts';

let server: TestServer;
let bob: TestServer['request'];
beforeAll(async () => {
  server = await start();
  await createUser(server, 'bob');
  bob = as(server, 'bob');
});
afterAll(() => server.stop());

const run = (id: string, given: Parameters<typeof call>[2]) => call(server.request, id, given);
const read = async (path: string) => (await server.request.get(`/api/v1/path${path}`).expect(200)).body;

/** A folder in which bob may do exactly this. */
async function folderFor(...permissions: string[]) {
  const folder = await createDocument(server, { type: 'Folder' });
  const aces = permissions.map((permission) => grant('bob', permission));
  await setAcl(server, folder.path, [...aces, deny('Everyone', 'Everything')]);
  return folder;
}

describe('Document.Create', () => {
  test('answers the new document', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const params = { type: 'File', name: 'a', properties: { 'dc:title': 'A', 'dc:subjects': ['art'] } };
    const { body } = await run('Document.Create', { input: folder.uid, params }).expect(200);
    expect(body).toMatchObject({
      ...{ 'entity-type': 'document', type: 'File', path: `${folder.path}/a`, title: 'A' },
      properties: { 'dc:subjects': ['art'], 'dc:creator': 'Administrator' },
    });
    expect(await read(`${folder.path}/a`)).toEqual(body);
  });

  test('answers one in every folder of a list; without a name it is Untitled', async () => {
    const [one, two] = [await folderFor(), await folderFor()];
    const { body } = await run('Document.Create', { input: [one.uid, two.path], params: { type: 'Note' } });
    expect(body.entries.map(({ path }: { path: string }) => path)).toEqual([
      `${one.path}/Untitled`,
      `${two.path}/Untitled`,
    ]);
  });

  test('reads lines of properties as clients write them, by the type of each property', async () => {
    const lines = [
      '# a comment',
      'dc:title=A = B',
      'dc:description=first\\',
      'second\\',
      '',
      'dc:subjects=art, art/cinema',
      'dc:contributors=["x,y"]',
      'dc:issued=2024-03-01',
      'dc:rights=',
      'dc:source=C:\\temp',
      'note:note=x',
    ].join('\r\n');
    const params = { type: 'Note', name: 'lines', properties: lines };
    const { body } = await run('Document.Create', { input: '/default-domain', params }).expect(200);
    expect(body.properties).toMatchObject({
      'dc:title': 'A = B',
      'dc:description': 'first\nsecond\n',
      'dc:subjects': ['art', 'art/cinema'],
      'dc:contributors': ['x,y', 'Administrator'],
      'dc:issued': '2024-03-01T00:00:00.000Z',
      'dc:rights': '',
      'dc:source': 'C:\\temp',
      'note:note': 'x',
    });
  });

  test('reads texts in an object likewise: numbers, booleans, JSON of complex values', async () => {
    const properties = {
      'file:content': '{"content": "hello", "name": "a.txt"}',
      'files:files': '[{"file": {"content": "b"}}]',
      'common:icon': '7',
      'dc:subjects': '',
      'dc:issued': '',
    };
    const params = { type: 'File', name: 'texts', properties };
    const { body } = await run('Document.Create', { input: '/default-domain', params }).expect(200);
    expect(body.properties).toMatchObject({
      ...{ 'common:icon': '7', 'dc:subjects': [], 'dc:issued': null },
      'file:content': { name: 'a.txt', length: '5' },
      'files:files': [{ file: { length: '1' } }],
    });
  });

  test('shows no more than may be read', async () => {
    const params = { type: 'File', name: 'mine' };
    const open = await folderFor('AddChildren');
    const { body } = await call(bob, 'Document.Create', { input: open.path, params }).expect(200);
    expect(body.name).toBe('mine');
    expect(body.properties).toEqual({});
  });

  test.each([
    [{ name: 'a' }, 400, 'type: is missing'],
    [{ type: 'File', name: '..' }, 400, 'name: ".." cannot be a path segment'],
    [{ type: 'File', properties: { 'x:y': 1 } }, 400, 'unknown property: x:y'],
    [{ type: 'File', properties: 'files:files=[{' }, 400, 'files:files: "[{" is no JSON'],
    [{ type: 'File', properties: 'dc:nature=nix' }, 422, undefined],
  ])('refuses %j', async (params, status, message) => {
    const response = await run('Document.Create', { input: '/default-domain', params }).expect(status);
    expect(response.body.message).toBe(message);
  });
});

describe('Document.Update', () => {
  test('answers the changed document; what is absent stays', async () => {
    const { uid } = await createDocument(server, { properties: { 'dc:title': 'A', 'dc:source': 'S' } });
    const properties = 'dc:title=B\ndc:subjects=art';
    const { body } = await run('Document.Update', { input: uid, params: { properties } }).expect(200);
    expect(body.properties).toMatchObject({ 'dc:title': 'B', 'dc:source': 'S', 'dc:subjects': ['art'] });
    expect(body.changeToken).toBe('0-1');
  });

  test('answers every document of a list', async () => {
    const [one, two] = [await createDocument(server), await createDocument(server)];
    const params = { properties: { 'dc:title': 'Both' } };
    const { body } = await run('Document.Update', { input: [one.uid, two.uid], params }).expect(200);
    expect(body.entries.map(({ title }: { title: string }) => title)).toEqual(['Both', 'Both']);
  });

  test.each([
    ['append_including_duplicates', ['art', 'society', 'art']],
    ['append_excluding_duplicates', ['art', 'society']],
    ['replace', ['society', 'art']],
  ])('propertiesBehaviors %s', async (behavior, expected) => {
    const { uid } = await createDocument(server, { properties: { 'dc:subjects': ['art'] } });
    const params = {
      properties: { 'dc:subjects': ['society', 'art'] },
      propertiesBehaviors: `dc:subjects=${behavior}`,
    };
    const { body } = await run('Document.Update', { input: uid, params }).expect(200);
    expect(body.properties['dc:subjects']).toEqual(expected);
    const unset = await createDocument(server);
    const added = await run('Document.Update', { input: unset.uid, params }).expect(200);
    expect(added.body.properties['dc:subjects']).toEqual(['society', 'art']);
  });

  test('changeToken: another state is 409', async () => {
    const { uid, changeToken } = await createDocument(server);
    const update = (title: string) =>
      run('Document.Update', { input: uid, params: { properties: { 'dc:title': title }, changeToken } });
    await update('A').expect(200);
    await update('B').expect(409);
  });

  test('shows no more than may be read', async () => {
    const params = { properties: { 'dc:title': 'Mine' } };
    const open = await folderFor('WriteProperties');
    const { body } = await call(bob, 'Document.Update', { input: open.path, params }).expect(200);
    expect(body.title).toBe(open.name);
    expect(body.properties).toEqual({});
    expect((await read(open.path)).title).toBe('Mine');
  });

  test.each([
    [{}, 'properties: is missing'],
    [{ properties: {}, save: false }, 'save: is none of true'],
    [
      { properties: {}, propertiesBehaviors: 'dc:subjects=replace' },
      'propertiesBehaviors: dc:subjects is none of the properties',
    ],
    [
      { properties: { 'dc:subjects': 'art' }, propertiesBehaviors: { 'dc:subjects': 'add' } },
      'propertiesBehaviors: dc:subjects: is none of replace, append_including_duplicates, append_excluding_duplicates',
    ],
    [
      { properties: { 'dc:title': 'a' }, propertiesBehaviors: 'dc:title=append_including_duplicates' },
      'dc:title is no list that something can be put into or taken out of',
    ],
  ])('refuses %j', async (params, message) => {
    const { uid } = await createDocument(server);
    expect((await run('Document.Update', { input: uid, params }).expect(400)).body.message).toBe(message);
  });
});

describe('Document.Delete', () => {
  test('answers nothing; the document and all below it are gone', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const inside = await createDocument(server, { parent: folder.path });
    const response = await run('Document.Delete', { input: folder.uid }).expect(204);
    expect(response.text).toBe('');
    await server.request.get(`/api/v1/id/${inside.uid}`).expect(404);
  });

  test('answers nothing for a list, one of which may be in another, or be named twice', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const inside = await createDocument(server, { parent: folder.path });
    const other = await createDocument(server);
    await run('Document.Delete', { input: [folder.uid, inside.uid, other.path, other.uid] }).expect(204);
    for (const { uid } of [folder, inside, other]) await server.request.get(`/api/v1/id/${uid}`).expect(404);
  });

  test('needs Remove, and RemoveChildren above, on every one of a list', async () => {
    const folder = await folderFor('Everything');
    const [mine, others] = [
      await createDocument(server, { parent: folder.path }),
      await createDocument(server, { parent: (await folderFor('Remove')).path }),
    ];
    await setAcl(server, others.path, [deny('bob', 'Remove')]);
    await call(bob, 'Document.Delete', { input: [mine.uid, others.uid] }).expect(403);
    await server.request.get(`/api/v1/id/${mine.uid}`).expect(200);
    await call(bob, 'Document.Delete', { input: mine.uid }).expect(204);
  });

  test('refuses a list of which one is not there, with nothing done', async () => {
    const kept = await createDocument(server);
    await run('Document.Delete', { input: [kept.uid, '/nosuch'] }).expect(404);
    await server.request.get(`/api/v1/id/${kept.uid}`).expect(200);
  });
});

describe('Log', () => {
  test('answers nothing, and writes a line', async () => {
    const params = { message: 'hello\nworld', category: 'tests', level: 'warn' };
    await call(bob, 'Log', { params, input: '/ignored' }).expect(204);
    expect(server.logged.find(({ msg }) => msg === 'hello\nworld')).toMatchObject({
      ...{ level: 40, category: 'tests', user: 'bob' },
    });
    await run('Log', { params: { message: 'plain' } }).expect(204);
    expect(server.logged.find(({ msg }) => msg === 'plain')).toMatchObject({
      level: 30,
      category: 'automation',
    });
  });

  test('refuses a line that is too long', async () => {
    await run('Log', { params: { message: 'x'.repeat(2001) } }).expect(400);
  });
});

describe('what a call costs', () => {
  test('as many statements as the same over its own row', async () => {
    const properties = { 'dc:title': 'A' };
    const created = await run('Document.Create', {
      input: '/default-domain',
      params: { type: 'File', properties },
    });
    expect(statements(created)).toBeLessThanOrEqual(3);
    const params = { properties: { 'dc:title': 'B' } };
    const updated = await run('Document.Update', { input: created.body.uid, params });
    expect(statements(updated)).toBeLessThanOrEqual(3);
  });
});
