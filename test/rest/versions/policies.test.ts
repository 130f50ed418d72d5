import { beforeAll, describe, expect, test } from '@jest/globals';
import { contradictions } from '../../store/consistency.ts';
import { grant, setAcl } from '../../support/acls.ts';
import {
  atId,
  atPath,
  createDocument,
  documentBody,
  readDocument,
  updateDocument,
  workspaces,
} from '../../support/documents.ts';
import { startServer, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { labelOf, labelsOf, versionsOf } from './version-requests.ts';

const server = useServer(
  {},
  {
    types: [
      { name: 'Report', parent: 'File' },
      { name: 'Hidden', parent: 'Note', facets: ['SystemDocument'] },
      { name: 'Memo', parent: 'Note' },
    ],
    versioning: [
      { name: 'scans', source: 'scanner', types: ['Report'], when: 'after', increment: 'MAJOR' },
      { name: 'quiet', source: 'quiet', increment: 'NONE' },
    ],
  },
);
const bob = useUser(server, 'bob');
beforeAll(async () => {
  await setAcl(server, workspaces, [grant('bob', 'ReadWrite')]);
});

const source = (name: string) => ({ source: name });

/** Sets the modification time of a document to `seconds` ago. */
async function age(uid: string, seconds: number): Promise<void> {
  const { prisma } = server.database;
  const { properties } = await prisma.document.findFirstOrThrow({ where: { id: uid } });
  const modified = new Date(Date.now() - seconds * 1000).toISOString();
  const data = { properties: { ...(properties as object), 'dc:modified': modified } };
  await prisma.document.updateMany({ where: { id: uid }, data });
}

describe('§11 built-in versioning policies', () => {
  test('check in a Note after each create and change, and answer the document', async () => {
    const note = await createDocument(server, { type: 'Note' });
    expect(await readDocument(server.request, note.uid)).toMatchObject({
      isVersion: false,
      isCheckedOut: false,
    });
    expect(await labelOf(server, note.uid)).toBe('0.1');
    const { body } = await updateDocument(server.request, note.uid, { 'note:note': 'x' }).expect(200);
    expect(body).toMatchObject({ uid: note.uid, isVersion: false, isCheckedOut: false });
    await updateDocument(server.request, note.uid, { 'note:note': 'x' }).expect(200);
    expect(await labelsOf(server.request, note.uid)).toEqual(['0.1', '0.2']);
    const events = await server.database.prisma.logEntry.findMany({
      where: { docUuid: note.uid },
      orderBy: { id: 'asc' },
    });
    expect(events.map(({ eventId, comment }) => [eventId, comment])).toEqual([
      ['documentCreated', null],
      ['documentCheckedIn', '0.1'],
      ['documentModified', null],
      ['documentCheckedIn', '0.2'],
    ]);
  });

  test('are overridden by X-Versioning-Option and do not apply to subtypes', async () => {
    const note = await createDocument(server, { type: 'Note' });
    await updateDocument(
      server.request,
      note.uid,
      { 'note:note': 'x' },
      { 'X-Versioning-Option': 'MAJOR' },
    ).expect(200);
    expect(await labelsOf(server.request, note.uid)).toEqual(['0.1', '1.0']);
    const memo = await createDocument(server, { type: 'Memo' });
    expect(await labelsOf(server.request, memo.uid)).toEqual([]);
  });

  test('create a version of a File before another user changes it', async () => {
    const file = await createDocument(server, {
      properties: { 'dc:title': 'mine', 'file:content': { content: 'a' } },
    });
    await updateDocument(server.request, file.uid, { 'dc:title': 'mine still' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
    const { body } = await updateDocument(bob, file.uid, {
      'dc:title': 'his',
      'file:content': { content: 'b' },
    }).expect(200);
    expect(body).toMatchObject({ isVersion: false, isCheckedOut: true, title: 'his' });
    expect(await labelOf(server, file.uid)).toBe('0.1+');
    const [version] = await versionsOf(server.request, file.uid);
    expect(version?.title).toBe('mine still');
    const bytes = await server.request.get(`/api/v1/id/${version?.uid}/@blob`).expect(200);
    expect(bytes.text).toBe('a');
    await updateDocument(bob, file.uid, { 'dc:title': 'his still' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1']);
    // A checked-in document needs no other version before a change.
    await updateDocument(bob, file.uid, {}, { 'X-Versioning-Option': 'MINOR' }).expect(200);
    await updateDocument(server.request, file.uid, { 'dc:title': 'mine again' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1', '0.2']);
    expect(await labelOf(server, file.uid)).toBe('0.2+');
  });

  test('create only one version with X-Versioning-Option (§9)', async () => {
    const file = await createDocument(server, { properties: { 'dc:title': 'mine' } });
    const { body } = await updateDocument(
      bob,
      file.uid,
      { 'dc:title': 'his' },
      { 'X-Versioning-Option': 'MINOR' },
    ).expect(200);
    expect(body).toMatchObject({ isVersion: true, versionLabel: '0.1', title: 'his' });
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1']);
    await updateDocument(
      server.request,
      file.uid,
      { 'dc:title': 'mine' },
      { 'X-Versioning-Option': 'none' },
    ).expect(200);
    await updateDocument(bob, file.uid, { 'dc:title': 'his' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1', '0.2']);
    await age(file.uid, 3700);
    const asked = { 'X-Versioning-Option': 'MAJOR', source: 'drive' };
    await updateDocument(bob, file.uid, { 'dc:title': 'again' }, asked).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1', '0.2', '1.0']);
  });

  test('create a version of a document older than an hour for source: drive', async () => {
    const file = await createDocument(server);
    await age(file.uid, 3500);
    await updateDocument(server.request, file.uid, { 'dc:title': 'a' }, source('drive')).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
    await age(file.uid, 3700);
    await updateDocument(server.request, file.uid, { 'dc:title': 'b' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
    await age(file.uid, 3700);
    const { body } = await updateDocument(
      server.request,
      file.uid,
      { 'dc:title': 'c' },
      source('drive'),
    ).expect(200);
    expect(body).toMatchObject({ uid: file.uid, isVersion: false });
    expect((await versionsOf(server.request, file.uid)).map(({ title }) => title)).toEqual(['b']);
  });

  test('create no versions of system documents and types that are not versionable', async () => {
    const hidden = await createDocument(server, { type: 'Hidden' });
    await updateDocument(server.request, hidden.uid, { 'note:note': 'x' }).expect(200);
    expect(await labelsOf(server.request, hidden.uid)).toEqual([]);
    // A Workspace has the schema file, but is not versionable.
    const workspace = await createDocument(server, { type: 'Workspace' });
    await updateDocument(bob, workspace.uid, { 'dc:title': 'his' }).expect(200);
    expect(await labelsOf(server.request, workspace.uid)).toEqual([]);
  });
});

describe('§11 contributed versioning policies', () => {
  const create = (type: string, headers: Record<string, string>) =>
    server.request
      .post(`/api/v1/path${workspaces}`)
      .set(headers)
      .send({ 'entity-type': 'document', type, name: 'scan' })
      .expect(201);

  test('apply by source and type, and answer the document', async () => {
    const { body } = await create('Report', source('scanner'));
    expect(body).toMatchObject({ isVersion: false, isCheckedOut: false });
    expect(await labelsOf(server.request, body.uid)).toEqual(['1.0']);
    await updateDocument(server.request, body.uid, { 'dc:title': 'a' }, source('scanner')).expect(200);
    await updateDocument(server.request, body.uid, { 'dc:title': 'b' }, source('other')).expect(200);
    expect(await labelsOf(server.request, body.uid)).toEqual(['1.0', '2.0']);
    const file = await create('File', source('scanner'));
    expect(await labelsOf(server.request, file.body.uid)).toEqual([]);
  });

  test('apply in order: a first match with NONE prevents versions', async () => {
    const { body } = await create('Note', source('quiet'));
    expect(await labelsOf(server.request, body.uid)).toEqual([]);
    const file = await createDocument(server);
    await updateDocument(bob, file.uid, { 'dc:title': 'his' }, source('quiet')).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
  });

  test.each([
    [{ versioning: [{ name: 'P', increment: 'HUGE' }] }, /versioning\[0\]\.increment/],
    [
      { versioning: [{ name: 'P', types: ['Nosuch'], increment: 'MINOR' }] },
      /versioning\.P\.types\[0\].*Nosuch/,
    ],
    [{ versioning: [{ name: 'note', increment: 'MINOR' }] }, /versioning\.note.*defined twice/],
    [{ versioning: [{ name: 'P', when: 'during', increment: 'MINOR' }] }, /versioning\[0\]\.when/],
  ])('prevent the start of the server when they are invalid: %j', async (definition, fault) => {
    await expect(startServer({}, definition as object)).rejects.toThrow(fault);
  });
});

test('All tables are consistent afterwards', async () => {
  expect(await contradictions(server)).toEqual([]);
});

describe('§9 X-Versioning-Option: NONE', () => {
  test('keeps the policies from making versions, which they make without the header', async () => {
    const none = (sent: ReturnType<typeof server.request.put>) => sent.set('X-Versioning-Option', 'NONE');
    const { body: note } = await none(server.request.post(atPath(workspaces)))
      .send(documentBody({ type: 'Note', name: 'unversioned', properties: { 'note:note': 'one' } }))
      .expect(201);
    const save = (text: string) =>
      server.request.put(atId(note.uid)).send(documentBody({ properties: { 'note:note': text } }));
    await none(save('two')).expect(200);
    expect(await labelsOf(server.request, note.uid)).toEqual([]);
    await save('three').expect(200);
    expect(await labelsOf(server.request, note.uid)).toEqual(['0.1']);

    const file = await createDocument(server, { name: 'of-two' });
    const saveFile = (title: string) =>
      bob.put(atId(file.uid)).send(documentBody({ properties: { 'dc:title': title } }));
    await none(saveFile('two')).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
    await updateDocument(server.request, file.uid, { 'dc:title': 'three' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1']);
  });
});
