import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const run = (id: string, given: Parameters<typeof call>[2]) => call(server.request, id, given);
const block = deny('Everyone', 'Everything');
const paths = (body: { entries: Array<{ path: string }> }) => body.entries.map(({ path }) => path);

describe('Document.Save', () => {
  test('answers with the document unchanged', async () => {
    const { uid } = await createDocument(server);
    const before = (await server.request.get(`/api/v1/id/${uid}`).expect(200)).body;
    expect((await run('Document.Save', { input: uid }).expect(200)).body).toEqual(before);
  });

  test('creates and returns a version with X-Versioning-Option (§11)', async () => {
    const { uid } = await createDocument(server);
    const { body } = await run('Document.Save', { input: uid })
      .set('X-Versioning-Option', 'MAJOR')
      .expect(200);
    expect(body).toMatchObject({
      isVersion: true,
      versionableId: uid,
      properties: { 'uid:major_version': 1 },
    });
  });

  test('refuses a version', async () => {
    const { uid } = await createDocument(server);
    const { body } = await run('Document.Save', { input: uid })
      .set('X-Versioning-Option', 'MINOR')
      .expect(200);
    await run('Document.Save', { input: body.uid }).expect(400);
  });
});

describe('Document.Reload', () => {
  test('answers with the current document, or all documents of a list', async () => {
    const made = [await createDocument(server), await createDocument(server)];
    const [one] = made;
    const { body } = await run('Document.Reload', { input: one?.uid }).expect(200);
    expect(body).toEqual((await server.request.get(`/api/v1/id/${one?.uid}`).expect(200)).body);
    const all = await run('Document.Reload', { input: made.map(({ uid }) => uid) }).expect(200);
    expect(paths(all.body)).toEqual(made.map(({ path }) => path));
  });

  test('needs Read', async () => {
    const { uid, path } = await createDocument(server);
    await setAcl(server, path, [grant('bob', 'Write'), block]);
    await call(bob, 'Document.Reload', { input: uid }).expect(403);
    await setAcl(server, path, [grant('bob', 'Read'), block]);
    await call(bob, 'Document.Reload', { input: uid }).expect(200);
  });

  test('refuses an unknown document and a missing input', async () => {
    await run('Document.Reload', { input: '/nosuch' }).expect(404);
    await run('Document.Reload', {}).expect(400);
  });
});

describe('Repository.SaveSession', () => {
  test('answers 204 without any statement', async () => {
    const { uid } = await createDocument(server);
    await run('Repository.SaveSession', {}).expect(204);
    const response = await run('Repository.SaveSession', { input: uid }).expect(204);
    expect(statements(response)).toBe(0);
  });

  test('needs nothing but credentials', async () => {
    await call(bob, 'Repository.SaveSession').expect(204);
    await server.anonymous.post('/api/v1/automation/Repository.SaveSession').send({}).expect(401);
  });

  test('refuses unknown parameters under Prefer: handling=strict alone', async () => {
    const call = () => run('Repository.SaveSession', { params: { save: true } });
    await call().expect(204);
    await call().set('Prefer', 'handling=strict').expect(400);
  });
});

describe('Document.Filter', () => {
  const filter = (input: unknown, params: Record<string, unknown> = {}, who = server.request) =>
    call(who, 'Document.Filter', { input, params });

  /** A folder, a file and a note in it. */
  async function some() {
    const folder = await createDocument(server, { type: 'Folder' });
    const file = await createDocument(server, { parent: folder.path });
    const note = await createDocument(server, { parent: folder.path, type: 'Note' });
    const value = { params: { value: 'approve' }, input: file.uid };
    await run('Document.FollowLifecycleTransition', value).expect(200);
    await run('Document.AddFacet', { input: note.uid, params: { facet: 'Thumbnail' } }).expect(200);
    return [note, folder, file];
  }

  test.each<[Record<string, unknown>, string[]]>([
    [{}, ['Note', 'Folder', 'File']],
    [{ types: 'File,Folder' }, ['Folder', 'File']],
    [{ types: ['Document'] }, []],
    [{ types: [] }, ['Note', 'Folder', 'File']],
    [{ facet: 'Folderish' }, ['Folder']],
    [{ facet: 'Thumbnail' }, ['Note']],
    [{ facet: '', lifecycle: '', pathStartsWith: '' }, ['Note', 'Folder', 'File']],
    [{ lifecycle: 'approved' }, ['File']],
    [{ lifecycle: 'project', types: 'File' }, []],
    [{ pathStartsWith: '/default-domain/sections' }, []],
  ])('answers with what matches %j, in the order of the list', async (params, types) => {
    const documents = await some();
    const { body } = await filter(
      documents.map(({ uid }) => uid),
      params,
    ).expect(200);
    expect(body.entries.map(({ type }: { type: string }) => type)).toEqual(types);
  });

  test('filters by pathStartsWith at a constant cost', async () => {
    const [note, folder, file] = await some();
    const uids = [note, folder, file].map((document) => document?.uid);
    const params = { pathStartsWith: `${folder?.path}/` };
    const all = await filter(uids, params).expect(200);
    expect(paths(all.body)).toEqual([note?.path, file?.path]);
    const one = await filter(note?.uid, params).expect(200);
    expect(paths(one.body)).toEqual([note?.path]);
    expect(statements(all)).toBe(statements(one));
  });

  test('needs Read on each document of the input', async () => {
    const [note, folder, file] = await some();
    await setAcl(server, folder?.path ?? '', [grant('bob', 'Read'), block]);
    const uids = [note, file].map((document) => document?.uid);
    await filter(uids, {}, bob).expect(200);
    await setAcl(server, file?.path ?? '', [block]);
    await filter(uids, { types: 'Note' }, bob).expect(403);
  });

  test('refuses a condition, an unknown document and a missing input', async () => {
    const [note] = await some();
    const { body } = await filter([note?.uid], { condition: 'true' }).expect(400);
    expect(body.message).toBe('condition is not supported');
    await filter([note?.uid], { class: 'org.example.Document' }).expect(400);
    await filter([note?.uid, '/nosuch']).expect(404);
    await filter(undefined).expect(400);
  });
});
