import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, readDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const run = (id: string, given: Parameters<typeof call>[2]) => call(server.request, id, given);
const read = (path: string) => readDocument(server.request, path);

/** A folder on which bob has exactly these permissions. */
async function folderFor(...permissions: string[]) {
  const folder = await createDocument(server, { type: 'Folder' });
  const aces = permissions.map((permission) => grant('bob', permission));
  await setAcl(server, folder.path, [...aces, deny('Everyone', 'Everything')]);
  return folder;
}

describe('Document.Create', () => {
  test('answers with the new document', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const params = { type: 'File', name: 'a', properties: { 'dc:title': 'A', 'dc:subjects': ['art'] } };
    const { body } = await run('Document.Create', { input: folder.uid, params }).expect(200);
    expect(body).toMatchObject({
      'entity-type': 'document',
      type: 'File',
      path: `${folder.path}/a`,
      title: 'A',
      properties: { 'dc:subjects': ['art'], 'dc:creator': 'Administrator' },
    });
    expect(await read(`${folder.path}/a`)).toEqual(body);
  });

  test('creates one document in each folder of a list, named Untitled by default', async () => {
    const [one, two] = [await folderFor(), await folderFor()];
    const { body } = await run('Document.Create', { input: [one.uid, two.path], params: { type: 'Note' } });
    expect(body.entries.map(({ path }: { path: string }) => path)).toEqual([
      `${one.path}/Untitled`,
      `${two.path}/Untitled`,
    ]);
  });

  test('reads lines of properties and converts them by the type of each property', async () => {
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

  test('converts texts in an object of properties, JSON of complex values included', async () => {
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
      'common:icon': '7',
      'dc:subjects': [],
      'dc:issued': null,
      'file:content': { name: 'a.txt', length: '5' },
      'files:files': [{ file: { length: '1' } }],
    });
  });

  test('omits properties that the caller cannot read', async () => {
    const params = { type: 'File', name: 'mine' };
    const open = await folderFor('AddChildren');
    const { body } = await call(bob, 'Document.Create', { input: open.path, params }).expect(200);
    expect(body.name).toBe('mine');
    expect(body.properties).toEqual({});
  });

  test.each([
    [{ name: 'a' }, 400, 'type is missing'],
    [{ type: 'File', name: '..' }, 400, 'name: ".." cannot be a path segment'],
    [{ type: 'File', properties: { 'x:y': 1 } }, 400, 'unknown property: x:y'],
    [{ type: 'File', properties: 'files:files=[{' }, 400, 'files:files: "[{" is not valid JSON.'],
    [
      { type: 'File', properties: 'dc:nature=nix' },
      422,
      'dc:nature: "nix" is not an entry of the directory nature.',
    ],
  ])('refuses %j', async (params, status, message) => {
    const response = await run('Document.Create', { input: '/default-domain', params }).expect(status);
    expect(response.body.message).toBe(message);
  });
});

describe('Document.Update', () => {
  test('changes only the given properties and returns the document', async () => {
    const { uid } = await createDocument(server, { properties: { 'dc:title': 'A', 'dc:source': 'S' } });
    const properties = 'dc:title=B\ndc:subjects=art';
    const { body } = await run('Document.Update', { input: uid, params: { properties } }).expect(200);
    expect(body.properties).toMatchObject({ 'dc:title': 'B', 'dc:source': 'S', 'dc:subjects': ['art'] });
    expect(body.changeToken).toBe('0-1');
  });

  test('changes every document of a list', async () => {
    const [one, two] = [await createDocument(server), await createDocument(server)];
    const params = { properties: { 'dc:title': 'Both' } };
    const { body } = await run('Document.Update', { input: [one.uid, two.uid], params }).expect(200);
    expect(body.entries.map(({ title }: { title: string }) => title)).toEqual(['Both', 'Both']);
  });

  test.each([
    ['append_including_duplicates', ['art', 'society', 'art']],
    ['append_excluding_duplicates', ['art', 'society']],
    ['replace', ['society', 'art']],
  ])('applies the propertiesBehaviors %s', async (behavior, expected) => {
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

  test('refuses an outdated changeToken with 409', async () => {
    const { uid, changeToken } = await createDocument(server);
    const update = (title: string) =>
      run('Document.Update', { input: uid, params: { properties: { 'dc:title': title }, changeToken } });
    await update('A').expect(200);
    await update('B').expect(409);
  });

  test('omits properties that the caller cannot read', async () => {
    const params = { properties: { 'dc:title': 'Mine' } };
    const open = await folderFor('WriteProperties');
    const { body } = await call(bob, 'Document.Update', { input: open.path, params }).expect(200);
    expect(body.title).toBe(open.name);
    expect(body.properties).toEqual({});
    expect((await read(open.path)).title).toBe('Mine');
  });

  test.each([
    [{}, 'properties is missing'],
    [{ properties: {}, save: false }, 'save must be one of true'],
    [
      { properties: {}, propertiesBehaviors: 'dc:subjects=replace' },
      'propertiesBehaviors: dc:subjects is not one of the properties that the call changes.',
    ],
    [
      { properties: { 'dc:subjects': 'art' }, propertiesBehaviors: { 'dc:subjects': 'add' } },
      'propertiesBehaviors: dc:subjects must be one of replace, append_including_duplicates, append_excluding_duplicates.',
    ],
    [
      { properties: { 'dc:title': 'a' }, propertiesBehaviors: 'dc:title=append_including_duplicates' },
      'dc:title is not a list, so nothing can be added to it or removed from it.',
    ],
  ])('refuses %j', async (params, message) => {
    const { uid } = await createDocument(server);
    expect((await run('Document.Update', { input: uid, params }).expect(400)).body.message).toBe(message);
  });
});

describe('Document.Delete', () => {
  test('answers 204 and deletes the document with its whole tree', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const inside = await createDocument(server, { parent: folder.path });
    const response = await run('Document.Delete', { input: folder.uid }).expect(204);
    expect(response.text).toBe('');
    await server.request.get(`/api/v1/id/${inside.uid}`).expect(404);
  });

  test('accepts a list with nested and repeated documents', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const inside = await createDocument(server, { parent: folder.path });
    const other = await createDocument(server);
    await run('Document.Delete', { input: [folder.uid, inside.uid, other.path, other.uid] }).expect(204);
    for (const { uid } of [folder, inside, other]) await server.request.get(`/api/v1/id/${uid}`).expect(404);
  });

  test('needs Remove on each document and RemoveChildren on its parent', async () => {
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

  test('refuses a list with an unknown document and deletes nothing', async () => {
    const kept = await createDocument(server);
    await run('Document.Delete', { input: [kept.uid, '/nosuch'] }).expect(404);
    await server.request.get(`/api/v1/id/${kept.uid}`).expect(200);
  });
});

describe('Log', () => {
  test('writes a log line and answers 204', async () => {
    const params = { message: 'hello\nworld', category: 'tests', level: 'warn' };
    await call(bob, 'Log', { params, input: '/ignored' }).expect(204);
    expect(server.logged.find(({ msg }) => msg === 'hello\nworld')).toMatchObject({
      level: 40,
      category: 'tests',
      user: 'bob',
    });
    await run('Log', { params: { message: 'plain' } }).expect(204);
    expect(server.logged.find(({ msg }) => msg === 'plain')).toMatchObject({
      level: 30,
      category: 'automation',
    });
  });

  test('refuses a message that is too long', async () => {
    await run('Log', { params: { message: 'x'.repeat(2001) } }).expect(400);
  });
});

describe('The cost of a call', () => {
  test('is at most three statements for Document.Create and Document.Update', async () => {
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
