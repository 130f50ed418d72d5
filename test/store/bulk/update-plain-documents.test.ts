import { describe, expect, test } from '@jest/globals';
import { newMeter } from '../../../src/db/meter.ts';
import type { Principal } from '../../../src/security/principal.ts';
import { updatePlainDocuments } from '../../../src/store/bulk/update-plain-documents.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { testScope } from '../../support/scope.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const asBob = useUser(server, 'bob');

const administrator: Principal = { id: 'Administrator', groups: [], isAdministrator: true };
const bob: Principal = { id: 'bob', groups: ['members'], isAdministrator: false };

const absent = '00000000-0000-4000-8000-000000000000';

/** What the change of so many documents costs, and which ones it changed. */
async function update(ids: readonly string[], properties: object, user = administrator) {
  const meter = newMeter();
  const done = await server.database
    .metered(meter)
    .transaction(30, (db) => updatePlainDocuments(testScope(db, { user }), ids, { ...properties }));
  return { done: done.toSorted(), statements: meter.statements };
}

async function files(count: number, given: object = {}): Promise<DocumentEntity[]> {
  const made: DocumentEntity[] = [];
  while (made.length < count) made.push(await createDocument(server, given));
  return made;
}

const idsOf = (documents: readonly DocumentEntity[]): string[] => documents.map(({ uid }) => uid).toSorted();

const shown = async ({ uid }: Pick<DocumentEntity, 'uid'>): Promise<DocumentEntity> =>
  (await server.request.get(atId(uid)).set('properties', '*').expect(200)).body;

const logOf = async ({ uid }: DocumentEntity): Promise<unknown> => {
  const { body } = await server.request.get(`${atId(uid)}/@audit`).expect(200);
  return body.entries.map(({ eventId, principalName, docType }: Record<string, unknown>) => [
    eventId,
    principalName,
    docType,
  ]);
};

describe('A change of many documents at once', () => {
  test('has the same effect as changes of single documents: properties, title, tokens and log entries', async () => {
    const [together, alone] = (await files(2)) as [DocumentEntity, DocumentEntity];
    const properties = { 'dc:title': 'Both', 'dc:subjects': ['art'], 'dc:description': null };
    expect((await update([together.uid], properties)).done).toEqual([together.uid]);
    await updateDocument(server.request, alone.uid, properties).expect(200);
    const [first, second] = [await shown(together), await shown(alone)];
    const timeless = ({ properties: { 'dc:created': _, 'dc:modified': __, ...rest } }: DocumentEntity) =>
      rest;
    expect(timeless(first)).toEqual(timeless(second));
    expect(first.properties['dc:modified']).not.toBe(together.properties['dc:modified']);
    expect([first.title, first.changeToken]).toEqual(['Both', second.changeToken]);
    expect(await logOf(first)).toEqual(await logOf(second));
  });

  test('takes the same number of statements for twenty documents as for one, even with ACLs of their own', async () => {
    const many = await files(20);
    for (const { path } of many) await setAcl(server, path, [grant('bob', 'ReadWrite')]);
    // The versioning policy keeps a version where the last contributor was another user.
    for (const { uid } of many) await updateDocument(asBob, uid, { 'dc:title': 'mine' }).expect(200);
    const ids = idsOf(many);
    const [one = ''] = ids;
    await update([one], { 'dc:title': '1' }, bob);
    const single = await update([one], { 'dc:title': '2' }, bob);
    const all = await update(ids, { 'dc:title': '3' }, bob);
    expect([single.done, all.done]).toEqual([[one], ids]);
    expect(all.statements).toBe(single.statements);
  });

  test('reports a document that has the values already as done, and writes nothing', async () => {
    const [file] = (await files(1)) as [DocumentEntity];
    const before = await shown(file);
    const properties = { 'dc:title': before.properties['dc:title'], 'dc:nature': null };
    expect((await update([file.uid], properties)).done).toEqual([file.uid]);
    expect(await shown(file)).toEqual(before);
  });

  test('leaves out documents whose change takes more than a write of the row', async () => {
    const [plain, held, checkedIn] = (await files(3)) as [DocumentEntity, DocumentEntity, DocumentEntity];
    await call(server.request, 'Document.Hold', { input: held.uid }).expect(200);
    await call(server.request, 'Document.CheckIn', {
      input: checkedIn.uid,
      params: { version: 'minor' },
    }).expect(200);
    const version = await server.database.prisma.document.findFirstOrThrow({
      where: { liveId: checkedIn.uid, isVersion: true },
    });
    const [note, folder] = [
      await createDocument(server, { type: 'Note' }),
      await createDocument(server, { type: 'Folder' }),
    ];
    const others = [held, checkedIn, note];
    const before = await Promise.all(others.map(shown));
    const ids = [plain.uid, ...idsOf(others), version.id, absent];
    expect((await update(ids, { 'dc:title': 'x' })).done).toEqual([plain.uid]);
    expect(await Promise.all(others.map(shown))).toEqual(before);
    // A folder has no place for files.
    expect((await update([plain.uid, folder.uid], { 'file:content': null })).done).toEqual([plain.uid]);
    const blob = { 'file:content': { content: 'x', name: 'x.txt' } };
    expect((await update([plain.uid], blob)).done).toEqual([]);
  });

  test('leaves out documents that the user cannot change', async () => {
    const all = (await files(3)) as [DocumentEntity, DocumentEntity, DocumentEntity];
    const [writable, readable, locked] = all;
    await setAcl(server, writable.path, [grant('bob', 'ReadWrite')]);
    await setAcl(server, readable.path, [grant('bob', 'Read'), deny('bob', 'WriteProperties')]);
    await setAcl(server, locked.path, [grant('bob', 'ReadWrite')]);
    for (const { uid } of [writable, locked])
      await updateDocument(asBob, uid, { 'dc:title': 'mine' }).expect(200);
    await call(server.request, 'Document.Lock', { input: locked.uid }).expect(200);
    expect((await update(idsOf(all), { 'dc:title': 'x' }, bob)).done).toEqual([writable.uid]);
    expect((await update(idsOf(all), { 'dc:creator': 'bob' }, bob)).done).toEqual([]);
  });
});
