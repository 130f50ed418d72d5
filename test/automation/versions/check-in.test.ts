import { describe, expect, test } from '@jest/globals';
import { labelOf, labelsOf, versionsOf } from '../../rest/versions/version-requests.ts';
import { contradictions } from '../../store/consistency.ts';
import {
  createDocument,
  type DocumentEntity,
  readDocument,
  updateDocument,
} from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

const run = calling(server);

const entriesOf = (docUuid: string, eventId: string) =>
  server.database.prisma.logEntry.findMany({ where: { docUuid, eventId }, orderBy: { id: 'asc' } });

describe("'Document.CheckIn'", () => {
  test.each([
    ['minor', '0.1'],
    ['MAJOR', '1.0'],
    ['none', '0.0'],
  ])('with %s creates the version %s and returns the live document', async (version, label) => {
    const { uid } = await createDocument(server, { properties: { 'dc:title': 'T' } });
    const { body } = await run('Document.CheckIn', uid, { version, comment: 'well done' }).expect(200);
    expect(body).toMatchObject({ uid, isVersion: false, isCheckedOut: false, changeToken: '1-0' });
    expect(await labelOf(server, uid)).toBe(label);
    const [made] = await versionsOf(server.request, uid);
    expect(made).toMatchObject({ versionLabel: label, title: 'T', isLatestVersion: true });
    const stored = await server.database.prisma.document.findFirst({ where: { id: made?.uid ?? '' } });
    expect(stored?.versionComment).toBe('well done');
    const [entry] = await entriesOf(uid, 'documentCheckedIn');
    expect(entry).toMatchObject({ comment: `${label} well done`, principalName: 'Administrator' });
  });

  test('with none raises the number that a version has already', async () => {
    const { uid } = await createDocument(server);
    for (const version of ['none', 'minor', 'none', 'major', 'none']) {
      await run('Document.CheckIn', uid, { version }).expect(200);
      await run('Document.CheckOut', uid).expect(200);
    }
    expect(await labelsOf(server.request, uid)).toEqual(['0.0', '0.1', '0.2', '1.0', '1.1']);
  });

  test('leaves documents of a list unchanged that are checked in already', async () => {
    const [one, two] = [await createDocument(server), await createDocument(server)];
    for (let round = 0; round < 2; round += 1) {
      const { body } = await run('Document.CheckIn', [one.uid, two.path], { version: 'minor' }).expect(200);
      expect(body.entries.map(({ uid }: DocumentEntity) => uid)).toEqual([one.uid, two.uid]);
    }
    expect(await labelsOf(server.request, one.uid)).toEqual(['0.1']);
    expect(await entriesOf(one.uid, 'documentCheckedIn')).toHaveLength(1);
  });

  test('costs three statements for any number of versions', async () => {
    const { uid } = await createDocument(server);
    const once = async (title: string) => {
      await updateDocument(server.request, uid, { 'dc:title': title }).expect(200);
      return statements(await run('Document.CheckIn', uid, { version: 'minor' }).expect(200));
    };
    await once('a');
    const first = await once('b');
    expect(first).toBe(3); // the row lock, the update with its log entry, and the copy
    for (let index = 0; index < 15; index += 1) await once(String(index));
    expect(await once('z')).toBe(first);
  });

  test('refuses a version', async () => {
    const { uid } = await createDocument(server);
    await run('Document.CheckIn', uid, { version: 'minor' }).expect(200);
    const [made] = await versionsOf(server.request, uid);
    const { body } = await run('Document.CheckIn', made?.uid, { version: 'minor' }).expect(400);
    expect(body.message).toMatch(/is a version, and versions cannot be modified\.$/);
  });
});

describe("'Document.CheckOut'", () => {
  test('appends + to the version label, once', async () => {
    const { uid } = await createDocument(server);
    await run('Document.CheckIn', uid, { version: 'major' }).expect(200);
    const { body } = await run('Document.CheckOut', uid).expect(200);
    expect(body).toMatchObject({ uid, isCheckedOut: true, isVersion: false });
    expect(await labelOf(server, uid)).toBe('1.0+');
    await run('Document.CheckOut', uid).expect(200);
    expect(await entriesOf(uid, 'documentCheckedOut')).toHaveLength(1);
    await run('Document.CheckIn', uid, { version: 'minor' }).expect(200);
    expect(await labelsOf(server.request, uid)).toEqual(['1.0', '1.1']);
  });

  test('refuses a version', async () => {
    const { uid } = await createDocument(server);
    await run('Document.CheckIn', uid, { version: 'minor' }).expect(200);
    const [made] = await versionsOf(server.request, uid);
    await run('Document.CheckOut', made?.uid).expect(400);
    expect((await readDocument(server.request, uid)).isCheckedOut).toBe(false);
  });
});

describe("'Document.CreateVersion'", () => {
  test.each([
    [{ increment: 'Minor' }, ['0.1', '0.2']],
    [{ increment: 'major', saveDocument: 'true' }, ['1.0', '2.0']],
    [{ increment: 'None' }, []],
    [{}, []],
  ])('with %j creates the versions %j in two calls and returns the live document', async (params, labels) => {
    const { uid } = await createDocument(server);
    await run('Document.CreateVersion', uid, params).expect(200);
    const { body } = await run('Document.CreateVersion', uid, params).expect(200);
    expect(body).toMatchObject({ uid, isVersion: false, isCheckedOut: labels.length === 0 });
    expect(await labelsOf(server.request, uid)).toEqual(labels);
    expect(await entriesOf(uid, 'documentCheckedIn')).toHaveLength(labels.length);
  });
});

test('All tables are consistent afterwards', async () => {
  expect(await contradictions(server)).toEqual([]);
});
