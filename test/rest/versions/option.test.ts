import { beforeAll, describe, expect, test } from '@jest/globals';
import { contradictions } from '../../store/consistency.ts';
import { grant, setAcl } from '../../support/acls.ts';
import {
  createDocument,
  type DocumentEntity,
  readDocument,
  updateDocument,
  workspaces,
} from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { labelOf, labelsOf, versionsOf } from './version-requests.ts';

const server = useServer();
const bob = useUser(server, 'bob');
beforeAll(async () => {
  await setAcl(server, workspaces, [grant('bob', 'ReadWrite')]);
});

const option = (value: string) => ({ 'X-Versioning-Option': value });
const post = (type: string, headers: Record<string, string>, properties: Record<string, unknown> = {}) =>
  server.request
    .post(`/api/v1/path${workspaces}`)
    .set(headers)
    .send({ 'entity-type': 'document', type, name: 'new', properties });

describe('§9, §11 X-Versioning-Option on PUT', () => {
  test('MINOR saves the document, checks it in and answers the version', async () => {
    const { uid, path, name, parentRef } = await createDocument(server, { properties: { 'dc:source': 's' } });
    const { body } = await updateDocument(server.request, uid, { 'dc:title': 'One' }, option('MINOR')).expect(
      200,
    );
    const version = body as DocumentEntity;
    expect(version).toMatchObject({
      isVersion: true,
      isProxy: false,
      isCheckedOut: false,
      versionLabel: '0.1',
      versionableId: uid,
      isLatestVersion: true,
      isLatestMajorVersion: false,
      path,
      name,
      type: 'File',
      state: 'project',
      parentRef: null,
      title: 'One',
      changeToken: '0-0',
      properties: { 'dc:title': 'One', 'dc:source': 's', 'uid:major_version': 0, 'uid:minor_version': 1 },
    });
    expect(version).not.toHaveProperty('proxyTargetId');
    expect(version.uid).not.toBe(uid);
    expect(version.facets).toContain('Immutable');
    expect(await readDocument(server.request, version.uid)).toEqual(version);

    const live = await readDocument(server.request, uid);
    expect(live).toMatchObject({
      isVersion: false,
      isCheckedOut: false,
      parentRef,
      title: 'One',
      properties: { 'uid:major_version': 0, 'uid:minor_version': 1 },
    });
    expect(live.facets).not.toContain('Immutable');
    for (const key of ['versionLabel', 'versionableId', 'isLatestVersion', 'isLatestMajorVersion'])
      expect(live).not.toHaveProperty(key);
  });

  test('MINOR raises the minor number and MAJOR the major one, even without other changes', async () => {
    const { uid } = await createDocument(server);
    expect(await labelOf(server, uid)).toBe('');
    const labels: unknown[] = [];
    for (const [index, value] of ['minor', 'MINOR', 'Major', 'MINOR', 'MAJOR'].entries()) {
      const properties = index % 2 === 0 ? { 'dc:title': String(index) } : {};
      const { body } = await updateDocument(server.request, uid, properties, option(value)).expect(200);
      labels.push(body.versionLabel);
    }
    expect(labels).toEqual(['0.1', '0.2', '1.0', '1.1', '2.0']);
    expect(await labelsOf(server.request, uid)).toEqual(labels);
    const versions = await versionsOf(server.request, uid);
    expect(versions.map(({ isLatestVersion }) => isLatestVersion)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(versions.map(({ isLatestMajorVersion: is }) => is)).toEqual([false, false, false, false, true]);
    expect(versions.map(({ title }) => title)).toEqual(['0', '0', '2', '2', '4']);

    await updateDocument(server.request, uid, { 'dc:title': 'minor' }, option('MINOR')).expect(200);
    const [major, last] = (await versionsOf(server.request, uid)).slice(-2);
    expect([major?.isLatestVersion, major?.isLatestMajorVersion]).toEqual([false, true]);
    expect([last?.isLatestVersion, last?.isLatestMajorVersion]).toEqual([true, false]);
  });

  test('NONE and no option answer the document, which is checked out by changes only', async () => {
    const { uid } = await createDocument(server);
    await updateDocument(server.request, uid, {}, option('MINOR')).expect(200);
    const same = await updateDocument(server.request, uid, {}, option('NONE')).expect(200);
    expect(same.body).toMatchObject({ uid, isVersion: false, isCheckedOut: false });
    expect(await labelOf(server, uid)).toBe('0.1');
    const changed = await updateDocument(server.request, uid, { 'dc:title': 'x' }).expect(200);
    expect(changed.body).toMatchObject({ uid, isVersion: false, isCheckedOut: true });
    expect(await labelOf(server, uid)).toBe('0.1+');
    expect(await labelsOf(server.request, uid)).toEqual(['0.1']);
  });

  test.each(['approved', 'obsolete'])(
    'checking out by a change moves a document that is %s back to project',
    async (state) => {
      const { uid } = await createDocument(server);
      await updateDocument(server.request, uid, {}, option('MINOR')).expect(200);
      await server.database.prisma.document.updateMany({ where: { id: uid }, data: { state } });
      expect((await updateDocument(server.request, uid, {}).expect(200)).body.state).toBe(state);
      expect((await updateDocument(server.request, uid, { 'dc:title': 'x' }).expect(200)).body.state).toBe(
        'project',
      );
      const [entry] = await server.database.prisma.logEntry.findMany({
        where: { docUuid: uid, eventId: 'lifecycle_transition_event' },
      });
      expect(entry).toMatchObject({
        category: 'eventLifeCycleCategory',
        extended: { from: state, to: 'project', transition: 'backToProject' },
      });
    },
  );

  test('gives each version the bytes that the document had', async () => {
    const { uid } = await createDocument(server, { properties: { 'file:content': { content: 'first' } } });
    const first = (await updateDocument(server.request, uid, {}, option('MINOR')).expect(200))
      .body as DocumentEntity;
    await updateDocument(
      server.request,
      uid,
      { 'file:content': { content: 'second' } },
      option('MINOR'),
    ).expect(200);
    const content = async (id: string) =>
      (await server.request.get(`/api/v1/id/${id}/@blob`).expect(200)).text;
    expect(await content(first.uid)).toBe('first');
    expect(await content(uid)).toBe('second');
    const [, second] = await versionsOf(server.request, uid);
    expect(await content(second?.uid ?? '')).toBe('second');
  });

  test('answers the ETag of the version; If-Match is compared with the document', async () => {
    const { uid, changeToken } = await createDocument(server);
    const headers = { ...option('MINOR'), 'If-Match': `"${changeToken}"` };
    const answer = await updateDocument(server.request, uid, { 'dc:title': 'x' }, headers).expect(200);
    expect(answer.headers.etag).toMatch(/^"0-0-/);
    await updateDocument(server.request, uid, { 'dc:title': 'y' }, headers).expect(412);
    expect(await labelsOf(server.request, uid)).toEqual(['0.1']);
  });

  test('needs WriteProperties; reading the version needs ReadVersion', async () => {
    const { uid, path } = await createDocument(server);
    const { body } = await updateDocument(bob, uid, { 'dc:title': 'b' }, option('MINOR')).expect(200);
    expect(body).toMatchObject({ isVersion: true, title: 'b', versionLabel: '0.1' });
    const block = { username: 'Everyone', permission: 'Everything', granted: false };
    await setAcl(server, path, [grant('bob', 'WriteProperties'), block]);
    const blind = await updateDocument(bob, uid, { 'dc:title': 'c' }, option('MINOR')).expect(200);
    expect(blind.body).toMatchObject({ isVersion: true, versionLabel: '0.2', properties: {} });
    await bob.get(`/api/v1/id/${blind.body.uid}`).expect(403);
    await setAcl(server, path, [grant('bob', 'ReadVersion'), block]);
    expect((await readDocument(bob, blind.body.uid)).title).toBe('c');
    await bob.get(`/api/v1/id/${uid}`).expect(403);
    await updateDocument(bob, uid, { 'dc:title': 'd' }, option('MINOR')).expect(403);
  });

  test('refuses types that are not versionable and unknown values', async () => {
    const { uid } = await createDocument(server, { type: 'Folder' });
    const { body } = await updateDocument(server.request, uid, { 'dc:title': 'x' }, option('MINOR')).expect(
      400,
    );
    expect(body).toMatchObject(
      exception(
        400,
        'Documents of type Folder have no versions, because they do not have the facet Versionable.',
      ),
    );
    await updateDocument(server.request, uid, {}, option('MAJOR')).expect(400);
    expect(
      (await updateDocument(server.request, uid, { 'dc:title': 'x' }, option('NONE')).expect(200)).body.title,
    ).toBe('x');
    const wrong = await updateDocument(server.request, uid, {}, option('MEDIUM')).expect(400);
    expect(wrong.body.message).toContain('NONE, MINOR, MAJOR');
  });

  test('is logged with the label, the comment and the source', async () => {
    const { uid } = await createDocument(server);
    const headers = { ...option('MAJOR'), 'Update-Comment': 'reviewed', source: 'tests' };
    const { body } = await updateDocument(server.request, uid, { 'dc:title': 'x' }, headers).expect(200);
    const entries = await server.database.prisma.logEntry.findMany({
      where: { docUuid: uid },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ eventId, comment }) => [eventId, comment])).toEqual([
      ['documentCreated', null],
      ['documentModified', 'reviewed'],
      ['documentCheckedIn', '1.0 reviewed'],
    ]);
    expect(entries[2]?.extended).toEqual({ source: 'tests' });
    const stored = await server.database.prisma.document.findFirst({ where: { id: body.uid } });
    expect(stored?.versionComment).toBe('reviewed');
  });

  test('costs one statement more than an update without it', async () => {
    const { uid } = await createDocument(server);
    await updateDocument(server.request, uid, { 'dc:title': 'warm' });
    const plain = statements(await updateDocument(server.request, uid, { 'dc:title': 'a' }).expect(200));
    const versioned = statements(
      await updateDocument(server.request, uid, { 'dc:title': 'b' }, option('MINOR')).expect(200),
    );
    expect(versioned).toBe(plain + 1);
    // A checked-in document is checked out first, which reads the number of the latest version.
    const again = statements(
      await updateDocument(server.request, uid, { 'dc:title': 'c' }, option('MINOR')).expect(200),
    );
    expect(again).toBe(versioned + 1);
    for (let index = 0; index < 20; index += 1)
      await updateDocument(server.request, uid, { 'dc:title': `c${index}` }, option('MINOR'));
    const later = statements(
      await updateDocument(server.request, uid, { 'dc:title': 'd' }, option('MINOR')).expect(200),
    );
    expect(later).toBe(again);
  });
});

describe('§9, §11 X-Versioning-Option on POST', () => {
  test.each([
    ['MINOR', '0.1', false],
    ['MAJOR', '1.0', true],
  ])('%s creates the document, checks it in and answers the version %s', async (value, label, isMajor) => {
    const content = { 'dc:title': 'T', 'file:content': { content: 'bytes' } };
    const { body } = await post('File', option(value), content).expect(201);
    expect(body).toMatchObject({
      isVersion: true,
      versionLabel: label,
      isLatestVersion: true,
      isLatestMajorVersion: isMajor,
      title: 'T',
      isCheckedOut: false,
    });
    const live = await readDocument(server.request, body.versionableId);
    expect(live).toMatchObject({ isVersion: false, isCheckedOut: false, path: body.path, name: body.name });
    expect((await server.request.get(`/api/v1/id/${body.uid}/@blob`).expect(200)).text).toBe('bytes');
    const entries = await server.database.prisma.logEntry.findMany({ where: { docUuid: live.uid } });
    expect(entries.map(({ eventId }) => eventId).sort()).toEqual(['documentCheckedIn', 'documentCreated']);
  });

  test('NONE creates the document and answers it', async () => {
    const { body } = await post('File', option('NONE')).expect(201);
    expect(body).toMatchObject({ isVersion: false, isCheckedOut: true });
    expect(await labelOf(server, body.uid)).toBe('');
  });

  test('refuses a type that is not versionable and creates nothing', async () => {
    const before = await server.database.prisma.document.count();
    await post('Folder', option('MINOR')).expect(400);
    expect(await server.database.prisma.document.count()).toBe(before);
  });
});

test('All tables are consistent afterwards', async () => {
  expect(await contradictions(server)).toEqual([]);
});

describe('§2.1, §11 the answer to a GET of a document with versions', () => {
  test('is the body of a new document, whose version numbers begin anew', async () => {
    const { uid } = await createDocument(server, { properties: { 'dc:title': 'One' } });
    await updateDocument(server.request, uid, { 'dc:title': 'Two' }, option('MAJOR')).expect(200);
    const original = await readDocument(server.request, uid);
    expect(original.properties).toMatchObject({ 'uid:major_version': 1, 'uid:minor_version': 0 });
    const { body } = await server.request
      .post(`/api/v1/path${workspaces}`)
      .send({ ...original, name: 'clone' })
      .expect(201);
    expect(body.uid).not.toBe(uid);
    expect(body).toMatchObject({
      isCheckedOut: true,
      properties: { 'dc:title': 'Two', 'uid:major_version': 0, 'uid:minor_version': 0 },
    });
  });

  test.each(['1', 1.5, -1, true, {}])('refuses %j for a number of a version', async (value) => {
    const { body } = await post('File', {}, { 'uid:major_version': value }).expect(400);
    const given = JSON.stringify(value);
    expect(body).toMatchObject(
      exception(400, `uid:major_version: expected an integer of at least 0, got ${given}`),
    );
  });
});
