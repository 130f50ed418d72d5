import { describe, expect, test } from '@jest/globals';
import { labelOf, labelsOf, put, read, type State, versionsOf } from '../rest/versions/requests.ts';
import { deny, grant, only, setAcl } from '../support/acls.ts';
import { consistently } from '../support/consistently.ts';
import { createDocument } from '../support/factories.ts';
import { statements, type TestServer } from '../support/server.ts';
import { call } from './calls.ts';

const sections = '/default-domain/sections';

let server: TestServer;
let bob: TestServer['request'];
consistently(
  (started) => {
    ({ server, bob } = started);
  },
  { groups: ['members'], settings: { PUBLIC_URL: 'http://quire.test' } },
);

const run = (id: string, input: unknown, params: Record<string, unknown> = {}) =>
  call(server.request, id, { input, params });

const newSection = (parent = sections) => createDocument(server, { type: 'Section', parent });
const newFile = (title: string) =>
  createDocument(server, { properties: { 'dc:title': title, 'file:content': { content: title } } });

async function publish(input: string, target: string, params: Record<string, unknown> = {}): Promise<State> {
  return (await run('Document.PublishToSection', input, { target, ...params }).expect(200)).body as State;
}

/** What is in a section. */
async function shownIn(path: string): Promise<State[]> {
  const { body } = await server.request.get(`/api/v1/path${path}/@children`).expect(200);
  return body.entries as State[];
}

const eventsOf = async (docUuid: string) =>
  (await server.database.prisma.logEntry.findMany({ where: { docUuid }, orderBy: { id: 'asc' } })).map(
    ({ eventId }) => eventId,
  );

describe("'Document.PublishToSection'", () => {
  test('answers the proxy of a new version; the document is checked in on it', async () => {
    const [section, { uid, name }] = [await newSection(), await newFile('first')];
    const proxy = await publish(uid, section.path);
    const [version] = await versionsOf(server.request, uid);
    expect(version).toMatchObject({ versionLabel: '0.1' });
    expect(proxy).toMatchObject({
      ...{ name, path: `${section.path}/${name}`, parentRef: section.uid, title: 'first', type: 'File' },
      ...{ isProxy: true, isVersion: false, isCheckedOut: false, changeToken: '0-0/0-0' },
      ...{ versionableId: uid, proxyTargetId: version?.uid },
      properties: { 'dc:title': 'first', 'uid:minor_version': 1 },
    });
    expect(proxy.facets).toContain('Immutable');
    expect(proxy).not.toHaveProperty('versionLabel');
    expect(proxy).not.toHaveProperty('isLatestVersion');
    expect(await shownIn(section.path)).toEqual([proxy]);
    expect(await read(server.request, proxy.uid)).toEqual(proxy);
    expect((await server.request.get(`/api/v1/id/${proxy.uid}/@blob`).expect(200)).text).toBe('first');
    expect(await labelOf(server, uid)).toBe('0.1');
    expect(await eventsOf(uid)).toEqual(['documentCreated', 'documentCheckedIn']);
    expect(await eventsOf(proxy.uid)).toContain('documentProxyPublished');
    expect(await eventsOf(section.uid)).toContain('sectionContentPublished');
  });

  test('answers a proxy that goes on showing its version, until the document is published again', async () => {
    const [section, { uid }] = [await newSection(), await newFile('first')];
    const proxy = await publish(uid, section.uid);
    await put(server.request, uid, { 'dc:title': 'second', 'file:content': { content: 'second' } }).expect(
      200,
    );
    expect(await read(server.request, proxy.uid)).toEqual(proxy);
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
    // Nothing is new: nothing is checked in.
    expect((await publish(uid, section.path)).proxyTargetId).toBe(again.proxyTargetId);
    expect(await labelsOf(server.request, uid)).toEqual(['0.1', '0.2']);
  });

  test('answers one more proxy without override; with it, one is left', async () => {
    const [section, { uid, name }] = [await newSection(), await newFile('first')];
    const first = await publish(uid, section.path, { override: false });
    const second = await publish(uid, section.path, { override: 'false' });
    expect(second.name).toMatch(new RegExp(`^${name}\\.\\d{13}$`));
    expect(await shownIn(section.path)).toHaveLength(2);
    expect((await publish(uid, section.path)).uid).toBe(first.uid);
    expect(await shownIn(section.path)).toHaveLength(1);
    expect(await eventsOf(second.uid)).toEqual(['documentProxyPublished', 'proxyRemoved']);
  });

  test('answers the proxy of a version as it is, and of what another proxy shows', async () => {
    const [one, two, { uid }] = [await newSection(), await newSection(), await newFile('first')];
    await put(server.request, uid, {}, { 'X-Versioning-Option': 'MAJOR' }).expect(200);
    await put(server.request, uid, { 'dc:title': 'second' }).expect(200);
    const [version] = await versionsOf(server.request, uid);
    const proxy = await publish(version?.uid ?? '', one.path);
    expect(proxy).toMatchObject({ proxyTargetId: version?.uid, versionableId: uid, title: 'first' });
    expect(await publish(proxy.uid, two.path)).toMatchObject({
      proxyTargetId: version?.uid,
      parentRef: two.uid,
    });
    expect(await labelOf(server, uid)).toBe('1.0+');
  });

  test('answers each of a list; is called Document.Publish too', async () => {
    const [section, one, two] = [await newSection(), await newFile('a'), await newFile('b')];
    const { body } = await run('Document.Publish', [one.uid, two.path], { target: `doc:${section.path}` });
    expect(body.entries.map(({ versionableId }: State) => versionableId)).toEqual([one.uid, two.uid]);
  });

  test('answers a proxy that can be moved, copied, given ACLs and deleted, and not be changed', async () => {
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
    const fault = (await put(server.request, uid, { 'dc:title': 'x' }).expect(400)).body.message;
    expect(fault).toBe(`${uid} is a proxy, and shows a version that cannot be modified`);
    await run('Document.SetLifeCycle', uid, { value: 'approve' }).expect(400);
    const child = { 'entity-type': 'document', type: 'File', name: 'x' };
    await server.request.post(`/api/v1/id/${uid}`).send(child).expect(400);
    await server.request.delete(`/api/v1/id/${uid}`).set('If-Match', '"9-9/0-0"').expect(412);
    const { etag } = (await server.request.get(`/api/v1/id/${uid}`).expect(200)).headers;
    await server.request.get(`/api/v1/id/${uid}`).set('If-None-Match', String(etag)).expect(304);
    await server.request.delete(`/api/v1/id/${uid}`).set('If-Match', String(etag)).expect(204);
    expect(await eventsOf(uid)).toContain('proxyRemoved');
    await read(server.request, file.uid);
  });

  test('refuses what cannot be published, and a proxy as a section', async () => {
    const [section, file] = [await newSection(), await newFile('a')];
    const fault = async (input: string, target: string) =>
      (await run('Document.PublishToSection', input, { target }).expect(400)).body.message;
    const collection = await createDocument(server, { type: 'Collection' });
    expect(await fault(collection.uid, section.path)).toBe('a Collection cannot be published');
    const proxy = await publish(file.uid, section.path);
    expect(await fault(file.uid, proxy.uid)).toMatch(/is a proxy/);
    expect(await shownIn(section.path)).toEqual([proxy]);
  });
});

describe("'Document.PublishToSections'", () => {
  test('answers a proxy in each section, at the cost of one', async () => {
    const many = [await newSection()];
    for (let index = 1; index < 12; index += 1) many.push(await newSection());
    const cost = async (targets: readonly string[]) => {
      const { uid } = await newFile('x');
      const answer = await run('Document.PublishToSections', uid, { target: targets }).expect(200);
      expect(answer.body.entries.map(({ parentRef }: State) => parentRef)).toEqual(targets);
      const again = await run('Document.MultiPublish', uid, { target: targets.join(', ') }).expect(200);
      expect(again.body.entries.map(({ uid: id }: State) => id)).toEqual(
        answer.body.entries.map(({ uid: id }: State) => id),
      );
      return [statements(answer), statements(again)];
    };
    const ids = many.map(({ uid }) => uid);
    expect(await cost(ids)).toEqual(await cost(ids.slice(0, 1)));
  });

  test('answers one proxy where a section is named twice', async () => {
    const [section, { uid }] = [await newSection(), await newFile('x')];
    const target = [section.uid, section.path];
    const { body } = await run('Document.PublishToSections', uid, { target, override: false }).expect(200);
    expect(body.entries).toHaveLength(1);
  });

  test('needs AddChildren on every section: where one is missing, nothing is published', async () => {
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

  test('answers when there is no proxy left, neither of the document nor of its versions', async () => {
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
    await put(server.request, file.uid, { 'dc:title': 'c' }).expect(200);
    await publish(file.uid, two.path, { override: false });
    const { body } = await run(id, version?.uid).expect(id === 'Document.UnpublishAll' ? 204 : 200);
    if (id === 'Document.RemoveProxies') expect(body).toEqual(await read(server.request, file.uid));
    expect(await shownIn(one.path)).toEqual([kept]);
    expect(await shownIn(two.path)).toEqual([]);
    expect(await versionsOf(server.request, file.uid)).toHaveLength(2);
    await run(id, file.path);
  });

  test('answers after as many statements, however many proxies there are', async () => {
    const targets = [(await newSection()).uid];
    for (let index = 1; index < 8; index += 1) targets.push((await newSection()).uid);
    const cost = async (target: readonly string[]) => {
      const { uid } = await newFile('x');
      await run('Document.PublishToSections', uid, { target }).expect(200);
      return statements(await run(id, uid));
    };
    expect(await cost(targets)).toBe(await cost(targets.slice(0, 1)));
  });

  test('needs Remove on each proxy, and RemoveChildren on its section: otherwise all stay', async () => {
    const [open, shut, file] = [await newSection(), await newSection(), await newFile('a')];
    await run('Document.PublishToSections', file.uid, { target: [open.uid, shut.uid] }).expect(200);
    await setAcl(server, open.path, only('bob', 'Read', 'Remove'));
    expect((await call(bob, id, { input: file.uid }).expect(403)).body.message).toBe(
      "Privilege 'Remove' is not granted to 'bob'",
    );
    expect(await shownIn(open.path)).toHaveLength(1);
    // What bob cannot see is none of his business.
    await setAcl(server, shut.path, [deny('bob', 'Everything')]);
    await call(bob, id, { input: file.uid });
    expect(await shownIn(open.path)).toEqual([]);
    expect(await shownIn(shut.path)).toHaveLength(1);
    await setAcl(server, file.path, [deny('bob', 'Everything')]);
    await call(bob, id, { input: file.uid }).expect(403);
  });
});
