import { describe, expect, test } from '@jest/globals';
import { labelOf, labelsOf, versionsOf } from '../../rest/versions/version-requests.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, grant, only, setAcl } from '../../support/acls.ts';
import {
  createDocument,
  type DocumentEntity,
  readDocument,
  updateDocument,
} from '../../support/documents.ts';
import { call, calling } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');
checkConsistency(server);

const run = calling(server);

/** A document with a version for each title: 0.1, 0.2 and so on. It is checked in on the last one. */
async function documentOf(...titles: string[]) {
  const document = await createDocument(server);
  for (const title of titles)
    await updateDocument(
      server.request,
      document.uid,
      { 'dc:title': title },
      { 'X-Versioning-Option': 'MINOR' },
    ).expect(200);
  return { ...document, versions: await versionsOf(server.request, document.uid) };
}

describe("'Document.GetVersions'", () => {
  test('answers with the versions from the first on, of a document or of one of its versions', async () => {
    const { uid, versions } = await documentOf('a', 'b', 'c');
    const { body } = await run('Document.GetVersions', uid).expect(200);
    expect(body['entity-type']).toBe('documents');
    expect(body).not.toHaveProperty('resultsCount');
    const shown = body.entries.map(({ title, versionLabel, versionableId }: DocumentEntity) => [
      title,
      versionLabel,
      versionableId,
    ]);
    expect(shown).toEqual(['a', 'b', 'c'].map((title, index) => [title, `0.${index + 1}`, uid]));
    expect(await versionsOf(server.request, versions[0]?.uid ?? '')).toEqual(body.entries);
    const fresh = await createDocument(server);
    expect((await run('Document.GetVersions', fresh.path).expect(200)).body.entries).toEqual([]);
  });

  test('answers with a constant number of statements', async () => {
    const [few, many] = [await documentOf('a', 'b', 'c'), await documentOf(...'abcdefghijklmnopqrstuvwxyz')];
    const cost = async (uid: string) => statements(await run('Document.GetVersions', uid).expect(200));
    expect(await cost(many.uid)).toBe(await cost(few.uid));
  });

  test('needs Read, and ReadVersion for each version', async () => {
    const { uid, path } = await documentOf('a');
    await setAcl(server, path, [deny('bob', 'ReadVersion'), grant('bob', 'Read')]);
    expect(await versionsOf(bob, uid)).toEqual([]);
    await setAcl(server, path, only('bob', 'Read'));
    expect(await versionsOf(bob, uid)).toHaveLength(1);
    await setAcl(server, path, only('bob', 'ReadVersion'));
    await call(bob, 'Document.GetVersions', { input: uid }).expect(403);
  });

  test('refuses an unknown document, and ignores parameters', async () => {
    await run('Document.GetVersions', '/nosuch').expect(404);
    await run('Document.GetVersions', '/', { x: 1 }).expect(200);
  });
});

describe("'Document.GetLastVersion'", () => {
  test('answers with the version that was created last, or 204', async () => {
    const { uid, versions } = await documentOf('a', 'b');
    const { body } = await run('Document.GetLastVersion', uid).expect(200);
    expect(body).toEqual(versions[1]);
    const fresh = await createDocument(server);
    await run('Document.GetLastVersion', fresh.uid).expect(204);
    const list = await run('Document.GetLastVersion', [uid, fresh.uid]).expect(200);
    expect(list.body.entries).toEqual([versions[1]]);
    await run('Document.CheckOut', uid).expect(200);
    await server.request.delete(`/api/v1/id/${versions[1]?.uid}`).expect(204);
    const { body: before } = await run('Document.GetLastVersion', uid).expect(200);
    expect(before).toMatchObject({ uid: versions[0]?.uid, isLatestVersion: true });
  });

  test('needs ReadVersion, and answers 204 without it', async () => {
    const { uid, path } = await documentOf('a');
    await setAcl(server, path, [deny('bob', 'ReadVersion'), grant('bob', 'Read')]);
    await call(bob, 'Document.GetLastVersion', { input: uid }).expect(204);
  });

  test('refuses an unknown document', async () => {
    await run('Document.GetLastVersion', '/nosuch').expect(404);
  });
});

describe("'Document.RestoreVersion'", () => {
  test('restores the live document and checks it in on the version', async () => {
    const { uid, path, name, versions } = await documentOf('a', 'b', 'c');
    const { body } = await run('Document.RestoreVersion', versions[0]?.uid).expect(200);
    expect(body).toMatchObject({ uid, path, name, title: 'a', isVersion: false, isCheckedOut: false });
    expect(body.properties).toEqual(versions[0]?.properties);
    expect(await labelOf(server, uid)).toBe('0.1');
    expect(await labelsOf(server.request, uid)).toEqual(['0.1', '0.2', '0.3']);
    const [entry] = await server.database.prisma.logEntry.findMany({
      where: { docUuid: uid, eventId: 'documentRestored' },
    });
    expect(entry?.comment).toBe('0.1');
  });

  test('continues the version numbers from the latest version', async () => {
    const { uid, versions } = await documentOf('a', 'b', 'c');
    await run('Document.RestoreVersion', versions[0]?.uid, { checkout: true }).expect(200);
    expect(await labelOf(server, uid)).toBe('0.3+');
    await run('Document.RestoreVersion', versions[1]?.uid).expect(200);
    await updateDocument(server.request, uid, { 'dc:title': 'd' }, { 'X-Versioning-Option': 'MINOR' }).expect(
      200,
    );
    expect(await labelsOf(server.request, uid)).toEqual(['0.1', '0.2', '0.3', '0.4']);
  });

  test('first creates a version of changes that are not checked in, with createVersion', async () => {
    const { uid, versions } = await documentOf('a');
    await updateDocument(server.request, uid, { 'dc:title': 'draft' }).expect(200);
    await run('Document.RestoreVersion', versions[0]?.uid, { createVersion: true }).expect(200);
    expect((await versionsOf(server.request, uid)).map(({ title }) => title)).toEqual(['a', 'draft']);
    // A document that is checked in needs no further version.
    await run('Document.RestoreVersion', versions[0]?.uid, { createVersion: 'true' }).expect(200);
    expect(await labelsOf(server.request, uid)).toEqual(['0.1', '0.2']);
    await updateDocument(server.request, uid, { 'dc:title': 'lost' }).expect(200);
    await run('Document.RestoreVersion', versions[0]?.uid).expect(200);
    expect((await versionsOf(server.request, uid)).map(({ title }) => title)).toEqual(['a', 'draft']);
  });

  test('restores the bytes and drops the records of the previous ones', async () => {
    const { uid } = await createDocument(server, { properties: { 'file:content': { content: 'first' } } });
    await run('Document.CheckIn', uid, { version: 'minor' }).expect(200);
    await updateDocument(server.request, uid, { 'file:content': { content: 'second' } }).expect(200);
    const [version] = await versionsOf(server.request, uid);
    await run('Document.RestoreVersion', version?.uid).expect(200);
    expect((await server.request.get(`/api/v1/id/${uid}/@blob`).expect(200)).text).toBe('first');
    const rows = await server.database.prisma.documentBlob.findMany({ where: { documentId: uid } });
    const own = await server.database.prisma.documentBlob.findMany({
      where: { documentId: version?.uid ?? '' },
    });
    expect(rows.map(({ digest }) => digest)).toEqual(own.map(({ digest }) => digest));
    await server.request.get(`/api/v1/id/${uid}/@blob/file:content`).expect(200);
  });

  test('restores the facets of the version and keeps CollectionMember', async () => {
    const { uid } = await createDocument(server);
    const setFacets = (...facets: string[]) =>
      server.database.prisma.document.updateMany({ where: { id: uid }, data: { facets } });
    await setFacets('WebView');
    await run('Document.CheckIn', uid, { version: 'minor' }).expect(200);
    const [version] = await versionsOf(server.request, uid);
    expect(version?.facets).toContain('WebView');
    await setFacets('CollectionMember', 'BigFolder');
    const { body } = await run('Document.RestoreVersion', version?.uid).expect(200);
    expect(body.facets).toEqual(expect.arrayContaining(['WebView', 'CollectionMember']));
    expect(body.facets).not.toContain('BigFolder');
  });
});

describe("'Document.Delete' of versions", () => {
  /** Documents with versions a, b and c, checked out again, so that every version can be deleted. */
  async function checkedOut(count: number) {
    const documents = [];
    for (let index = 0; index < count; index += 1) {
      const document = await documentOf('a', 'b', 'c');
      await run('Document.CheckOut', document.uid).expect(200);
      documents.push(document);
    }
    return documents;
  }

  const remaining = async (uid: string) =>
    (await versionsOf(server.request, uid)).map(({ title, isLatestVersion }) => [title, isLatestVersion]);

  test('marks the remaining latest versions, at the cost of one document', async () => {
    const [one, ...others] = await checkedOut(4);
    const newest = (documents: ReadonlyArray<typeof one>) =>
      documents.flatMap((document) => document?.versions.slice(1).map(({ uid }) => uid) ?? []);
    const cost = async (list: string[]) => statements(await run('Document.Delete', list).expect(204));
    expect(await cost(newest(others))).toBe(await cost(newest([one])));
    for (const document of [one, ...others])
      expect(await remaining(document?.uid ?? '')).toEqual([['a', true]]);
  });

  test('refuses the whole list when a document or a proxy uses one of the versions', async () => {
    const [free] = await checkedOut(1);
    const bound = await documentOf('a');
    const section = await createDocument(server, { type: 'Section' });
    const shown = await documentOf('a', 'b');
    await run('Document.PublishToSection', shown.versions[0]?.uid, { target: section.path }).expect(200);
    for (const one of [bound.versions[0], shown.versions[0]]) {
      const { body } = await run('Document.Delete', [free?.versions[0]?.uid, one?.uid]).expect(403);
      expect(body.message).toContain(one?.uid);
    }
    expect(await remaining(free?.uid ?? '')).toHaveLength(3);
  });
});

describe("'Proxy.GetSourceDocument'", () => {
  test('answers with the document of a version, or with the given document', async () => {
    const { uid, versions } = await documentOf('a');
    for (const input of [versions[0]?.uid, uid]) {
      const { body } = await run('Proxy.GetSourceDocument', input).expect(200);
      expect(body).toEqual(await readDocument(server.request, uid));
    }
    expect((await run('GetLiveDocument', versions[0]?.uid).expect(200)).body.uid).toBe(uid);
  });

  test('needs Read on the document', async () => {
    const { path, versions } = await documentOf('a');
    await setAcl(server, path, only('bob', 'ReadVersion'));
    await call(bob, 'Proxy.GetSourceDocument', { input: versions[0]?.uid }).expect(403);
    await setAcl(server, path, only('bob', 'Read'));
    await call(bob, 'Proxy.GetSourceDocument', { input: versions[0]?.uid }).expect(200);
  });

  test('refuses an unknown document', async () => {
    await run('Proxy.GetSourceDocument', '/nosuch').expect(404);
  });
});
