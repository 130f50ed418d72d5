import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { contradictions } from '../../store/consistency.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/factories.ts';
import type { TestServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { startWithModel, workspaces } from '../documents/requests.ts';
import { labelOf, labelsOf, put, read, versionsOf } from './requests.ts';

let server: TestServer;
let bob: TestServer['request'];
beforeAll(async () => {
  server = await startWithModel({
    types: [
      { name: 'Report', parent: 'File' },
      { name: 'Hidden', parent: 'Note', facets: ['SystemDocument'] },
      { name: 'Memo', parent: 'Note' },
    ],
    versioning: [
      { name: 'scans', source: 'scanner', types: ['Report'], when: 'after', increment: 'MAJOR' },
      { name: 'quiet', source: 'quiet', increment: 'NONE' },
    ],
  });
  await createUser(server, 'bob');
  bob = as(server, 'bob');
  await setAcl(server, workspaces, [grant('bob', 'ReadWrite')]);
});
afterAll(() => server.stop());

afterEach(async () => {
  expect(await contradictions(server)).toEqual([]);
});

const source = (name: string) => ({ source: name });

/** Says that a document was changed so many seconds ago. */
async function age(uid: string, seconds: number): Promise<void> {
  const { prisma } = server.database;
  const { properties } = await prisma.document.findFirstOrThrow({ where: { id: uid } });
  const modified = new Date(Date.now() - seconds * 1000).toISOString();
  const data = { properties: { ...(properties as object), 'dc:modified': modified } };
  await prisma.document.updateMany({ where: { id: uid }, data });
}

describe('stock policies (§11)', () => {
  test('a Note is checked in by each create and each change; the answer is the live document', async () => {
    const note = await createDocument(server, { type: 'Note' });
    expect(await read(server.request, note.uid)).toMatchObject({ isVersion: false, isCheckedOut: false });
    expect(await labelOf(server, note.uid)).toBe('0.1');
    const { body } = await put(server.request, note.uid, { 'note:note': 'x' }).expect(200);
    expect(body).toMatchObject({ uid: note.uid, isVersion: false, isCheckedOut: false });
    await put(server.request, note.uid, { 'note:note': 'x' }).expect(200);
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

  test('an option that is given stands instead; a type that inherits is another type', async () => {
    const note = await createDocument(server, { type: 'Note' });
    await put(server.request, note.uid, { 'note:note': 'x' }, { 'X-Versioning-Option': 'MAJOR' }).expect(200);
    expect(await labelsOf(server.request, note.uid)).toEqual(['0.1', '1.0']);
    const memo = await createDocument(server, { type: 'Memo' });
    expect(await labelsOf(server.request, memo.uid)).toEqual([]);
  });

  test('what somebody else left of a file becomes a version before it is changed', async () => {
    const file = await createDocument(server, {
      properties: { 'dc:title': 'mine', 'file:content': { content: 'a' } },
    });
    await put(server.request, file.uid, { 'dc:title': 'mine still' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
    const { body } = await put(bob, file.uid, { 'dc:title': 'his', 'file:content': { content: 'b' } }).expect(
      200,
    );
    expect(body).toMatchObject({ isVersion: false, isCheckedOut: true, title: 'his' });
    expect(await labelOf(server, file.uid)).toBe('0.1+');
    const [version] = await versionsOf(server.request, file.uid);
    expect(version?.title).toBe('mine still');
    const bytes = await server.request.get(`/api/v1/id/${version?.uid}/@blob`).expect(200);
    expect(bytes.text).toBe('a');
    await put(bob, file.uid, { 'dc:title': 'his still' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1']);
    // What is checked in is kept already.
    await put(bob, file.uid, {}, { 'X-Versioning-Option': 'MINOR' }).expect(200);
    await put(server.request, file.uid, { 'dc:title': 'mine again' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1', '0.2']);
    expect(await labelOf(server, file.uid)).toBe('0.2+');
  });

  test('an option that is given makes one version alone, of what somebody else left too (§9)', async () => {
    const file = await createDocument(server, { properties: { 'dc:title': 'mine' } });
    const { body } = await put(
      bob,
      file.uid,
      { 'dc:title': 'his' },
      { 'X-Versioning-Option': 'MINOR' },
    ).expect(200);
    expect(body).toMatchObject({ isVersion: true, versionLabel: '0.1', title: 'his' });
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1']);
    await put(server.request, file.uid, { 'dc:title': 'mine' }, { 'X-Versioning-Option': 'none' }).expect(
      200,
    );
    await put(bob, file.uid, { 'dc:title': 'his' }, { 'X-Versioning-Option': 'NONE' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1', '0.2']);
    await age(file.uid, 3700);
    const asked = { 'X-Versioning-Option': 'MAJOR', source: 'drive' };
    await put(bob, file.uid, { 'dc:title': 'again' }, asked).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual(['0.1', '0.2', '1.0']);
  });

  test('source: drive keeps what is older than an hour', async () => {
    const file = await createDocument(server);
    await age(file.uid, 3500);
    await put(server.request, file.uid, { 'dc:title': 'a' }, source('drive')).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
    await age(file.uid, 3700);
    await put(server.request, file.uid, { 'dc:title': 'b' }).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
    await age(file.uid, 3700);
    const { body } = await put(server.request, file.uid, { 'dc:title': 'c' }, source('drive')).expect(200);
    expect(body).toMatchObject({ uid: file.uid, isVersion: false });
    expect((await versionsOf(server.request, file.uid)).map(({ title }) => title)).toEqual(['b']);
  });

  test('documents of the server and types that are not versionable have none', async () => {
    const hidden = await createDocument(server, { type: 'Hidden' });
    await put(server.request, hidden.uid, { 'note:note': 'x' }).expect(200);
    expect(await labelsOf(server.request, hidden.uid)).toEqual([]);
    const workspace = await createDocument(server, { type: 'Workspace' }); // it has the schema file
    await put(bob, workspace.uid, { 'dc:title': 'his' }).expect(200);
    expect(await labelsOf(server.request, workspace.uid)).toEqual([]);
  });
});

describe('contributed policies (§11)', () => {
  const create = (type: string, headers: Record<string, string>) =>
    server.request
      .post(`/api/v1/path${workspaces}`)
      .set(headers)
      .send({ 'entity-type': 'document', type, name: 'scan' })
      .expect(201);

  test('a policy is matched by source and type; the answer is the live document', async () => {
    const { body } = await create('Report', source('scanner'));
    expect(body).toMatchObject({ isVersion: false, isCheckedOut: false });
    expect(await labelsOf(server.request, body.uid)).toEqual(['1.0']);
    await put(server.request, body.uid, { 'dc:title': 'a' }, source('scanner')).expect(200);
    await put(server.request, body.uid, { 'dc:title': 'b' }, source('other')).expect(200);
    expect(await labelsOf(server.request, body.uid)).toEqual(['1.0', '2.0']);
    const file = await create('File', source('scanner'));
    expect(await labelsOf(server.request, file.body.uid)).toEqual([]);
  });

  test('the first that fits decides: NONE keeps the others from making versions', async () => {
    const { body } = await create('Note', source('quiet'));
    expect(await labelsOf(server.request, body.uid)).toEqual([]);
    const file = await createDocument(server);
    await put(bob, file.uid, { 'dc:title': 'his' }, source('quiet')).expect(200);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
  });

  test.each([
    [{ versioning: [{ name: 'P', increment: 'HUGE' }] }, /versioning\[0\]\.increment/],
    [
      { versioning: [{ name: 'P', types: ['Nosuch'], increment: 'MINOR' }] },
      /versioning\.P\.types\[0\].*Nosuch/,
    ],
    [{ versioning: [{ name: 'note', increment: 'MINOR' }] }, /versioning\.note.*taken/],
    [{ versioning: [{ name: 'P', when: 'during', increment: 'MINOR' }] }, /versioning\[0\]\.when/],
  ])('a faulty one stops the start: %j', async (definition, fault) => {
    await expect(startWithModel(definition as object)).rejects.toThrow(fault);
  });
});
