import { createReadStream } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import Nuxeo, { type Document } from 'nuxeo';
import { administrator } from '../support/administrator.ts';
import { use } from '../support/use.ts';
import { startConnected, statusOf } from './connected.ts';

const connected = use(startConnected);
let client: Nuxeo;
beforeAll(() => {
  client = connected.client;
});

describe('§5 the published JavaScript client connects', () => {
  test('with a user name and a password, and returns its user', () => {
    expect(client.connected).toBe(true);
    expect(client.user).toMatchObject({ id: administrator.username, isAdministrator: true });
    expect(Object.keys(client.user.contextParameters)).toEqual(['userprofile']);
  });

  test('with a token that it requested', async () => {
    const token = await client.requestAuthenticationToken('app', 'device', 'My device', 'rw');
    const { user } = await connected.clientWith({ method: 'token', token }).connect();
    expect(user.id).toBe(administrator.username);
  });

  test('but fails with a wrong password', async () => {
    const wrong = connected.clientWith({
      method: 'basic',
      username: administrator.username,
      password: 'wrong',
    });
    expect(await statusOf(wrong.connect())).toBe(401);
  });
});

describe('§4.1, §4.2 documents of the JavaScript client', () => {
  let folder: Document;
  beforeAll(async () => {
    const document = { 'entity-type': 'document', name: 'made', type: 'Workspace', properties: {} };
    folder = await client.repository().create('/default-domain/workspaces', document);
  });

  const createNote = (name: string, title = name) =>
    client.repository().create(folder.path, {
      'entity-type': 'document',
      name,
      type: 'Note',
      properties: { 'dc:title': title, 'note:note': 'text' },
    });

  test('are fetched by path and by id', async () => {
    const root = await client.repository().fetch('/');
    expect(root.path).toBe('/');
    expect(root.isFolder()).toBe(true);
    const found = await client.repository().fetch(folder.uid);
    expect(found.path).toBe(folder.path);
    expect((await client.request('/path/default-domain').get()).type).toBe('Domain');
  });

  test('are changed and saved, and unchanged properties stay', async () => {
    const note = await createNote('saved', 'before');
    const saved = await note.set({ 'dc:title': 'after', 'dc:description': 'new' }).save();
    expect(saved.title).toBe('after');
    const updated = await client
      .repository()
      .update({ 'entity-type': 'document', uid: note.uid, properties: { 'dc:rights': 'mine' } });
    expect(updated.properties).toMatchObject({
      'dc:title': 'after',
      'dc:description': 'new',
      'dc:rights': 'mine',
      'note:note': 'text',
    });
  });

  test('have the schemas that are requested', async () => {
    const { uid } = await createNote('shaped');
    const { properties } = await client.repository().schemas(['note']).fetch(uid);
    expect(Object.keys(properties).sort()).toEqual(['note:mime_type', 'note:note']);
  });

  test('have blobs, such as the text of a note', async () => {
    const response = await (await createNote('blob')).fetchBlob();
    expect(await response.text()).toBe('text');
  });

  test('are deleted, and answer 404 afterwards', async () => {
    const { uid, path } = await createNote('deleted');
    expect((await client.repository().delete(path)).status).toBe(204);
    expect(await statusOf(client.repository().fetch(uid))).toBe(404);
  });
});

describe('§4.7 operations of the JavaScript client', () => {
  const workspaces = '/default-domain/workspaces';

  test('accept a document and return one, many or none', async () => {
    const child = client
      .operation('Document.GetChild')
      .input('/default-domain')
      .params({ name: 'workspaces' });
    expect(await child.execute()).toMatchObject({ path: workspaces });
    const children = await client.operation('Document.GetChildren').input('/default-domain').execute();
    expect(children.entries.map(({ path }) => path)).toContain(workspaces);
    const update = client
      .operation('Document.Update')
      .input(workspaces)
      .params({ properties: 'dc:description=sample' });
    expect((await update.execute({ headers: { 'X-NXVoidOperation': true } })).status).toBe(204);
    expect((await client.repository().fetch(workspaces)).get('dc:description')).toBe('sample');
  });

  test('accept several documents', async () => {
    const input = [workspaces, '/default-domain/sections'];
    const params = { properties: { 'dc:rights': 'ours' } };
    const { entries } = await client.operation('Document.Update').input(input).params(params).execute();
    expect(entries.map((entry) => entry.get('dc:rights'))).toEqual(['ours', 'ours']);
  });
});

describe('§4.7 blobs of the JavaScript client', () => {
  const workspaces = '/default-domain/workspaces';
  const blob = (name: string, content: unknown = Buffer.from(name)) => new Nuxeo.Blob({ content, name });
  const newFile = () =>
    client.repository().create(workspaces, { 'entity-type': 'document', name: 'blobs', type: 'File' });

  test('can be attached and returned', async () => {
    const file = await newFile();
    const attach = client.operation('Blob.AttachOnDocument').params({ document: file.uid });
    const answer = await attach.input(blob('é "1".txt')).execute();
    expect(await (answer as unknown as Response).text()).toBe('é "1".txt');
    const { properties } = await client.repository().fetch(file.uid);
    expect(properties['file:content']).toMatchObject({ name: 'é "1".txt', 'mime-type': 'text/plain' });
    const named = await client
      .operation('Document.SetBlobName')
      .input(file.uid)
      .params({ name: 'new' })
      .execute();
    expect(named).toMatchObject({ properties: { 'file:content': { name: 'new' } } });
  });

  test('can be streamed, and added to a list together', async () => {
    const { uid } = await newFile();
    const attach = () => client.operation('Blob.Attach').params({ document: uid, xpath: 'files:files' });
    const stream = createReadStream(new URL(import.meta.url));
    const silent = { headers: { 'X-NXVoidOperation': true } };
    expect((await attach().input(blob('stream.ts', stream)).execute(silent)).status).toBe(204);
    expect(
      (
        await attach()
          .input([blob('a.txt'), blob('b.txt')])
          .execute(silent)
      ).status,
    ).toBe(204);
    const files = (await client.repository().fetch(uid)).get('files:files') as { file: { name: string } }[];
    expect(files.map(({ file }) => file.name)).toEqual(['stream.ts', 'a.txt', 'b.txt']);
  });

  test('can be imported into the document of the context', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const operation = client.operation('FileManager.Import').context({ currentDocument: workspaces });
    expect(await operation.input(blob('imported.pdf')).execute()).toMatchObject({ type: 'File' });
    const { entries } = await operation.input([blob('one.txt'), blob('two.png', png)]).execute();
    expect(entries.map(({ type, title }) => [type, title])).toEqual([
      ['Note', 'one.txt'],
      ['Picture', 'two.png'],
    ]);
  });
});

describe('§4.3, §4.4, §4.5 other entities of the JavaScript client', () => {
  test('include users', async () => {
    const created = await client.users().create({ properties: { username: 'leela', firstName: 'L' } });
    expect(created.id).toBe('leela');
    created.set({ firstName: 'Leela' });
    expect((await created.save()).properties.firstName).toBe('Leela');
    expect((await client.users().fetch('leela')).properties.firstName).toBe('Leela');
    expect((await client.users().delete('leela')).status).toBe(204);
    expect(await statusOf(client.users().fetch('leela'))).toBe(404);
  });

  test('include groups', async () => {
    const groups = client.groups();
    expect(await groups.create({ groupname: 'crew', grouplabel: 'Crew' })).toMatchObject({
      groupname: 'crew',
    });
    const changed = await groups.update({ id: 'crew', groupname: 'crew', grouplabel: 'The crew' });
    expect(changed.grouplabel).toBe('The crew');
    expect((await groups.delete('crew')).status).toBe(204);
    expect(await statusOf(groups.fetch('crew'))).toBe(404);
  });

  test('include directory entries', async () => {
    const continents = client.directory('continent');
    expect((await continents.fetchAll()).entries).toHaveLength(7);
    const properties = { id: 'atlantis', label: 'sunk', ordering: 0, obsolete: 0 };
    const created = await continents.create({ properties });
    created.set({ label: 'risen' });
    expect((await created.save()).properties.label).toBe('risen');
    expect((await continents.delete('atlantis')).status).toBe(204);
    expect(await statusOf(continents.fetch('atlantis'))).toBe(404);
  });
});
