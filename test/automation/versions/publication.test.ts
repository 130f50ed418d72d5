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

const sections = '/default-domain/sections';

const server = useServer({ PUBLIC_URL: 'http://quire.test', ADMIN_PASSWORD: 'another' });
const bob = useUser(server, 'bob', ['members']);
checkConsistency(server);

const run = calling(server);

const newSection = (parent = sections) => createDocument(server, { type: 'Section', parent });
const newFile = (title: string) =>
  createDocument(server, { properties: { 'dc:title': title, 'file:content': { content: title } } });

async function publish(
  input: string,
  target: string,
  params: Record<string, unknown> = {},
): Promise<DocumentEntity> {
  return (await run('Document.PublishToSection', input, { target, ...params }).expect(200))
    .body as DocumentEntity;
}

/** The children of a section. */
async function shownIn(path: string): Promise<DocumentEntity[]> {
  const { body } = await server.request.get(`/api/v1/path${path}/@children`).expect(200);
  return body.entries as DocumentEntity[];
}

const eventsOf = async (docUuid: string) =>
  (await server.database.prisma.logEntry.findMany({ where: { docUuid }, orderBy: { id: 'asc' } })).map(
    ({ eventId }) => eventId,
  );

describe("'Document.PublishToSection'", () => {
  test('creates a proxy of a new version and checks the document in', async () => {
    const [section, { uid, name }] = [await newSection(), await newFile('first')];
    const proxy = await publish(uid, section.path);
    const [version] = await versionsOf(server.request, uid);
    expect(version).toMatchObject({ versionLabel: '0.1' });
    expect(proxy).toMatchObject({
      name,
      path: `${section.path}/${name}`,
      parentRef: section.uid,
      title: 'first',
      type: 'File',
      isProxy: true,
      isVersion: false,
      isCheckedOut: false,
      changeToken: '0-0/0-0',
      versionableId: uid,
      proxyTargetId: version?.uid,
      properties: { 'dc:title': 'first', 'uid:minor_version': 1 },
    });
    expect(proxy.facets).toContain('Immutable');
    expect(proxy).not.toHaveProperty('versionLabel');
    expect(proxy).not.toHaveProperty('isLatestVersion');
    expect(await shownIn(section.path)).toEqual([proxy]);
    expect(await readDocument(server.request, proxy.uid)).toEqual(proxy);
    expect((await server.request.get(`/api/v1/id/${proxy.uid}/@blob`).expect(200)).text).toBe('first');
    expect(await labelOf(server, uid)).toBe('0.1');
    expect(await eventsOf(uid)).toEqual(['documentCreated', 'documentCheckedIn', 'documentPublished']);
    expect(await eventsOf(proxy.uid)).toContain('documentProxyPublished');
    expect(await eventsOf(section.uid)).toContain('sectionContentPublished');
  });

  test('updates the proxy only when the document is published again', async () => {
    const [section, { uid }] = [await newSection(), await newFile('first')];
    const proxy = await publish(uid, section.uid);
    await updateDocument(server.request, uid, {
      'dc:title': 'second',
      'file:content': { content: 'second' },
    }).expect(200);
    expect(await readDocument(server.request, proxy.uid)).toEqual(proxy);
    const again = await publish(uid, section.path);
    expect(again).toMatchObject({
      uid: proxy.uid,
      path: proxy.path,
      title: 'second',
      changeToken: '1-0/0-0',
    });
    expect(again.proxyTargetId).not.toBe(proxy.proxyTargetId);
    expect((await server.request.get(`/api/v1/id/${proxy.uid}/@blob`).expect(200)).text).toBe('second');
    expect(await shownIn(section.path)).toEqual([again]);
    expect(await labelsOf(server.request, uid)).toEqual(['0.1', '0.2']);
    // Without changes no version is created.
    expect((await publish(uid, section.path)).proxyTargetId).toBe(again.proxyTargetId);
    expect(await labelsOf(server.request, uid)).toEqual(['0.1', '0.2']);
  });

  test('creates another proxy without override, and leaves one proxy with it', async () => {
    const [section, { uid, name }] = [await newSection(), await newFile('first')];
    const first = await publish(uid, section.path, { override: false });
    const second = await publish(uid, section.path, { override: 'false' });
    expect(second.name).toMatch(new RegExp(`^${name}\\.\\d{13}$`));
    expect(await shownIn(section.path)).toHaveLength(2);
    expect((await publish(uid, section.path)).uid).toBe(first.uid);
    expect(await shownIn(section.path)).toHaveLength(1);
    expect(await eventsOf(second.uid)).toEqual(['documentProxyPublished', 'proxyRemoved']);
  });

  test('publishes a version as it is, and a proxy by its version', async () => {
    const [one, two, { uid }] = [await newSection(), await newSection(), await newFile('first')];
    await updateDocument(server.request, uid, {}, { 'X-Versioning-Option': 'MAJOR' }).expect(200);
    await updateDocument(server.request, uid, { 'dc:title': 'second' }).expect(200);
    const [version] = await versionsOf(server.request, uid);
    const proxy = await publish(version?.uid ?? '', one.path);
    expect(proxy).toMatchObject({ proxyTargetId: version?.uid, versionableId: uid, title: 'first' });
    expect(await publish(proxy.uid, two.path)).toMatchObject({
      proxyTargetId: version?.uid,
      parentRef: two.uid,
    });
    expect(await labelOf(server, uid)).toBe('1.0+');
  });

  test('publishes each document of a list, and has the alias Document.Publish', async () => {
    const [section, one, two] = [await newSection(), await newFile('a'), await newFile('b')];
    const { body } = await run('Document.Publish', [one.uid, two.path], { target: `doc:${section.path}` });
    expect(body.entries.map(({ versionableId }: DocumentEntity) => versionableId)).toEqual([
      one.uid,
      two.uid,
    ]);
  });

  test('creates proxies that can be moved, copied, given ACLs and deleted, but not changed', async () => {
    const [section, to, file] = [await newSection(), await newSection(), await newFile('a')];
    const { uid, proxyTargetId } = await publish(file.uid, section.path);
    const { body } = await run('Document.Copy', uid, { target: to.path, name: 'copy' }).expect(200);
    const copied = await run('Document.Copy', section.uid, { target: to.path, name: 'all' }).expect(200);
    const [below] = await shownIn(copied.body.path);
    for (const proxy of [body, below])
      expect(proxy).toMatchObject({ isProxy: true, proxyTargetId, versionableId: file.uid, title: 'a' });
    await run('Document.Move', uid, { target: to.path, name: 'moved' }).expect(200);
    expect((await shownIn(to.path)).map(({ name }) => name).sort()).toEqual(['all', 'copy', 'moved']);
    await setAcl(server, `${to.path}/moved`, [grant('bob', 'Remove')]);
    const fault = (await updateDocument(server.request, uid, { 'dc:title': 'x' }).expect(400)).body.message;
    expect(fault).toBe(`${uid} is a proxy of a version, and versions cannot be modified.`);
    await run('Document.SetLifeCycle', uid, { value: 'approve' }).expect(400);
    const child = { 'entity-type': 'document', type: 'File', name: 'x' };
    await server.request.post(`/api/v1/id/${uid}`).send(child).expect(400);
    await server.request.delete(`/api/v1/id/${uid}`).set('If-Match', '"9-9/0-0"').expect(412);
    const { etag } = (await server.request.get(`/api/v1/id/${uid}`).expect(200)).headers;
    await server.request.get(`/api/v1/id/${uid}`).set('If-None-Match', String(etag)).expect(304);
    await server.request.delete(`/api/v1/id/${uid}`).set('If-Match', String(etag)).expect(204);
    expect(await eventsOf(uid)).toContain('proxyRemoved');
    await readDocument(server.request, file.uid);
  });

  test('refuses types that cannot be published, and a proxy as the section', async () => {
    const [section, file] = [await newSection(), await newFile('a')];
    const fault = async (input: string, target: string) =>
      (await run('Document.PublishToSection', input, { target }).expect(400)).body.message;
    const collection = await createDocument(server, { type: 'Collection' });
    expect(await fault(collection.uid, section.path)).toBe(
      'Documents of type Collection cannot be published.',
    );
    const proxy = await publish(file.uid, section.path);
    expect(await fault(file.uid, proxy.uid)).toMatch(/is a proxy/);
    expect(await shownIn(section.path)).toEqual([proxy]);
  });
});

describe("'Document.PublishToSections'", () => {
  test('creates a proxy in each section at the cost of one', async () => {
    const many = [await newSection()];
    for (let index = 1; index < 12; index += 1) many.push(await newSection());
    const cost = async (targets: readonly string[]) => {
      const { uid } = await newFile('x');
      const answer = await run('Document.PublishToSections', uid, { target: targets }).expect(200);
      expect(answer.body.entries.map(({ parentRef }: DocumentEntity) => parentRef)).toEqual(targets);
      const again = await run('Document.MultiPublish', uid, { target: targets.join(', ') }).expect(200);
      expect(again.body.entries.map(({ uid: id }: DocumentEntity) => id)).toEqual(
        answer.body.entries.map(({ uid: id }: DocumentEntity) => id),
      );
      return [statements(answer), statements(again)];
    };
    const ids = many.map(({ uid }) => uid);
    expect(await cost(ids)).toEqual(await cost(ids.slice(0, 1)));
  });

  test('creates one proxy for a section that is named twice', async () => {
    const [section, { uid }] = [await newSection(), await newFile('x')];
    const target = [section.uid, section.path];
    const { body } = await run('Document.PublishToSections', uid, { target, override: false }).expect(200);
    expect(body.entries).toHaveLength(1);
  });

  test('takes at most 1000 sections', async () => {
    const [section, { uid }] = [await newSection(), await newFile('x')];
    for (const target of [Array(1001).fill(section.uid), Array(1001).fill(section.uid).join(',')]) {
      const { body } = await run('Document.PublishToSections', uid, { target }).expect(400);
      expect(body.message).toBe('target: 1001 documents exceed the limit of 1000');
    }
    expect(await shownIn(section.path)).toEqual([]);
  });

  test('publishes nothing without AddChildren on every section', async () => {
    const [open, shut, file] = [await newSection(), await newSection(), await newFile('a')];
    await setAcl(server, open.path, [grant('bob', 'AddChildren')]);
    const params = { target: [open.uid, shut.uid] };
    await call(bob, 'Document.PublishToSections', { input: file.uid, params }).expect(403);
    expect(await shownIn(open.path)).toEqual([]);
    expect(await labelsOf(server.request, file.uid)).toEqual([]);
  });
});

describe.each(["'Document.UnpublishAll'", "'Document.RemoveProxies'"])('%s', (quoted) => {
  const id = quoted.slice(1, -1);

  test('removes all proxies of the document and of its versions', async () => {
    const [one, two, file, other] = [
      await newSection(),
      await newSection(),
      await newFile('a'),
      await newFile('b'),
    ];
    const target = [one.uid, two.uid];
    await run('Document.PublishToSections', file.uid, { target }).expect(200);
    const kept = await publish(other.uid, one.path);
    const [version] = await versionsOf(server.request, file.uid);
    await updateDocument(server.request, file.uid, { 'dc:title': 'c' }).expect(200);
    await publish(file.uid, two.path, { override: false });
    const { body } = await run(id, version?.uid).expect(id === 'Document.UnpublishAll' ? 204 : 200);
    if (id === 'Document.RemoveProxies') expect(body).toEqual(await readDocument(server.request, file.uid));
    expect(await shownIn(one.path)).toEqual([kept]);
    expect(await shownIn(two.path)).toEqual([]);
    expect(await versionsOf(server.request, file.uid)).toHaveLength(2);
    await run(id, file.path);
  });

  test('costs the same for any number of proxies', async () => {
    const targets = [(await newSection()).uid];
    for (let index = 1; index < 8; index += 1) targets.push((await newSection()).uid);
    const cost = async (target: readonly string[]) => {
      const { uid } = await newFile('x');
      await run('Document.PublishToSections', uid, { target }).expect(200);
      return statements(await run(id, uid));
    };
    expect(await cost(targets)).toBe(await cost(targets.slice(0, 1)));
  });

  test('removes nothing without the permissions on each visible proxy', async () => {
    const [open, shut, file] = [await newSection(), await newSection(), await newFile('a')];
    await run('Document.PublishToSections', file.uid, { target: [open.uid, shut.uid] }).expect(200);
    await setAcl(server, open.path, only('bob', 'Read', 'Remove'));
    expect((await call(bob, id, { input: file.uid }).expect(403)).body.message).toMatch(
      /^Privilege 'Remove' is not granted to 'bob' on the document at \/default-domain\/sections\/\S+\.$/,
    );
    expect(await shownIn(open.path)).toHaveLength(1);
    // Proxies that bob cannot see are skipped.
    await setAcl(server, shut.path, [deny('bob', 'Everything')]);
    await call(bob, id, { input: file.uid });
    expect(await shownIn(open.path)).toEqual([]);
    expect(await shownIn(shut.path)).toHaveLength(1);
    await setAcl(server, file.path, [deny('bob', 'Everything')]);
    await call(bob, id, { input: file.uid }).expect(403);
  });
});
