import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';

let server: TestServer;
let ann: TestServer['request'];
beforeAll(async () => {
  server = await start();
  await createUser(server, 'ann', ['members']);
  ann = as(server, 'ann');
});
afterAll(() => server.stop());

const repository = 'default';
const block = deny('Everyone', 'Everything');

/** What an enricher says of a document. */
async function said({ uid }: DocumentEntity, enricher: string, agent = server.request) {
  const headers = { 'enrichers.document': enricher, depth: 'root' };
  const { body } = await agent.get(`/api/v1/id/${uid}`).set(headers).expect(200);
  return body.contextParameters[enricher];
}

/** A collection with some members, laid past the interface. */
async function collectionOf(members: readonly DocumentEntity[], properties = {}): Promise<DocumentEntity> {
  const collection = await createDocument(server, { type: 'Collection', properties });
  const data = members.map(({ uid }, position) => ({
    ...{ repository, collectionId: collection.uid, memberId: uid, position },
  }));
  await server.database.prisma.collectionMember.createMany({ data });
  return collection;
}

describe('§4.9 collections', () => {
  test('are those that hold the document and that the caller may read, by title', async () => {
    const document = await createDocument(server);
    expect(await said(document, 'collections')).toEqual([]);
    const second = await collectionOf([document], { 'dc:title': 'B' });
    const first = await collectionOf([document], { 'dc:title': 'A' });
    const closed = await collectionOf([document], { 'dc:title': 'C' });
    await setAcl(server, closed.path, [block]);
    const uids = async (agent = server.request) =>
      (await said(document, 'collections', agent)).map(({ uid }: DocumentEntity) => uid);
    expect(await uids()).toEqual([first.uid, second.uid, closed.uid]);
    expect(await uids(ann)).toEqual([first.uid, second.uid]);
  });

  test('have content when they have a member that people see and the caller may read', async () => {
    const member = await createDocument(server);
    const full = await collectionOf([member]);
    expect(await said(await collectionOf([]), 'hasContent')).toBe(false);
    for (const agent of [server.request, ann]) expect(await said(full, 'hasContent', agent)).toBe(true);
    await setAcl(server, member.path, [block]);
    expect(await said(full, 'hasContent')).toBe(true);
    expect(await said(full, 'hasContent', ann)).toBe(false);
    const hidden = await collectionOf([await createDocument(server, { type: 'HiddenFolder' })]);
    expect(await said(hidden, 'hasContent')).toBe(false);
  });

  test('show their members where collection:documentIds is fetched', async () => {
    const [open, closed] = [await createDocument(server), await createDocument(server)];
    await setAcl(server, closed.path, [block]);
    const { uid } = await collectionOf([open, closed]);
    const { body } = await ann
      .get(`/api/v1/id/${uid}`)
      .set('fetch.document', 'collection:documentIds')
      .expect(200);
    expect(body.properties['collection:documentIds']).toEqual([
      expect.objectContaining({ 'entity-type': 'document', uid: open.uid }),
    ]);
  });
});

describe('§4.9 favorites', () => {
  test('are the caller’s own', async () => {
    const document = await createDocument(server);
    expect(await said(document, 'favorites', ann)).toBe(false);
    const workspaces = await createDocument(server, {
      ...{ parent: '/default-domain', type: 'UserWorkspacesRoot', name: 'UserWorkspaces' },
    });
    const { path } = await createDocument(server, {
      parent: workspaces.path,
      type: 'Workspace',
      name: 'ann',
    });
    const favorites = await createDocument(server, { parent: path, type: 'Favorites', name: 'Favorites' });
    await server.database.prisma.collectionMember.create({
      data: { repository, collectionId: favorites.uid, memberId: document.uid, position: 0 },
    });
    expect(await said(document, 'favorites', ann)).toBe(true);
    expect(await said(document, 'favorites')).toBe(false);
  });
});

describe('§4.9 tags', () => {
  test('are labels in order, each once', async () => {
    const document = await createDocument(server);
    expect(await said(document, 'tags')).toEqual([]);
    for (const tags of ['zebra,apple', 'apple'])
      await server.request
        .post('/api/v1/automation/Services.TagDocument')
        .send({ input: document.uid, params: { tags } })
        .expect(200);
    expect(await said(document, 'tags')).toEqual(['apple', 'zebra']);
  });
});

describe('§4.9 subscribedNotifications', () => {
  test('are what the caller wants to be told, in order', async () => {
    const { uid, ...document } = await createDocument(server);
    const wish = (userId: string, notification: string) => ({
      repository,
      documentId: uid,
      userId,
      notification,
    });
    await server.database.prisma.subscription.createMany({
      data: [wish('ann', 'Modification'), wish('ann', 'Creation'), wish('Administrator', 'CommentAdded')],
    });
    expect(await said({ uid, ...document }, 'subscribedNotifications', ann)).toEqual([
      'Creation',
      'Modification',
    ]);
    expect(await said({ uid, ...document }, 'subscribedNotifications')).toEqual(['CommentAdded']);
  });
});

describe('§4.9 audit', () => {
  test('has the ten newest entries, the newest first', async () => {
    const document = await createDocument(server);
    for (let index = 0; index < 11; index += 1)
      await server.request
        .put(`/api/v1/id/${document.uid}`)
        .send({ 'entity-type': 'document', properties: { 'dc:title': `Title ${index}` } })
        .expect(200);
    const entries = await said(document, 'audit');
    expect(entries).toHaveLength(10);
    expect(entries[0]).toMatchObject({
      ...{ 'entity-type': 'logEntry', eventId: 'documentModified', docUUID: document.uid },
      principalName: 'Administrator',
    });
    const ids = entries.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
  });

  describe('with the filters of @audit in the query', () => {
    const eventsIn = ({ contextParameters }: { contextParameters: { audit: Array<{ eventId: string }> } }) =>
      contextParameters.audit.map(({ eventId }) => eventId).join(' ');
    const ask = (path: string, query: object, depth = 'root') =>
      server.request.get(path).query(query).set({ 'enrichers.document': 'audit,children', depth });

    /** A folder and a file in it that were both locked on a day of 2020, by ann. */
    async function logged() {
      const folder = await createDocument(server, { type: 'Folder' });
      const file = await createDocument(server, { parent: folder.path });
      const day = { eventDate: new Date('2020-01-02T12:00:00Z'), repository, principalName: 'ann' };
      const data = [folder, file].map(({ uid }) => ({
        ...{ ...day, docUuid: uid, eventId: 'documentLocked', category: 'eventDocumentCategory' },
      }));
      await server.database.prisma.logEntry.createMany({ data });
      return { folder, file };
    }

    test.each([
      [{}, 'documentCreated documentLocked'],
      [{ eventId: 'documentLocked' }, 'documentLocked'],
      [{ eventId: 'documentLocked,documentCreated' }, 'documentCreated documentLocked'],
      [{ eventId: 'nothing' }, ''],
      [{ category: 'Routing' }, ''],
      [{ principalName: 'ann' }, 'documentLocked'],
      [{ startEventDate: '2020-01-02', endEventDate: '2020-01-02' }, 'documentLocked'],
      [{ endEventDate: '2020-01-01' }, ''],
      [{ pageSize: 1, currentPageIndex: 1 }, 'documentCreated documentLocked'],
    ])('%j: the entries that fit, of the document and of those inside of it', async (query, events) => {
      const { folder } = await logged();
      const { body } = await ask(`/api/v1/id/${folder.uid}`, query, 'children').expect(200);
      expect(eventsIn(body)).toBe(events);
      expect(eventsIn(body.contextParameters.children.entries[0])).toBe(events);
    });

    test('of a page and of what an operation answers, at the same cost', async () => {
      const { folder, file } = await logged();
      const query = { eventId: 'documentLocked' };
      const page = await ask(`/api/v1/id/${folder.uid}/@children`, query).expect(200);
      expect(eventsIn(page.body.entries[0])).toBe('documentLocked');
      const all = await ask(`/api/v1/id/${folder.uid}/@children`, {}).expect(200);
      expect(statements(page)).toBe(statements(all));
      const { body } = await server.request
        .post(`/api/v1/id/${file.uid}/@op/Document.Lock`)
        .query(query)
        .set('enrichers.document', 'audit')
        .send({})
        .expect(200);
      expect(eventsIn(body)).toBe('documentLocked documentLocked');
    });

    test.each(['startEventDate', 'endEventDate'])('%s that is no date: 400', async (name) => {
      const { file } = await logged();
      const { body } = await ask(`/api/v1/id/${file.uid}`, { [name]: 'yesterday' }).expect(400);
      expect(body.message).toContain(name);
    });
  });

  test('tells nothing to who may write a document and not read it', async () => {
    const document = await createDocument(server);
    await setAcl(server, document.path, [grant('ann', 'WriteProperties'), block]);
    const { body } = await ann
      .put(`/api/v1/id/${document.uid}`)
      .set('enrichers.document', 'audit,acls,tags,children')
      .send({ 'entity-type': 'document', properties: { 'dc:title': 'unseen' } })
      .expect(200);
    expect(body.contextParameters).toEqual({
      ...{ audit: [], acls: [], tags: [], children: { 'entity-type': 'documents', entries: [] } },
    });
  });
});

describe('§4.9 publications', () => {
  test('are the proxies of the document and of its versions that the caller may read', async () => {
    const document = await createDocument(server);
    expect(await said(document, 'publications')).toEqual({ resultCount: 0, resultsCount: 0 });
    const { prisma } = server.database;
    const row = await prisma.document.findFirstOrThrow({ where: { id: document.uid } });
    const version = { ...row, properties: {}, id: randomUUID(), parentId: null, name: '', isVersion: true };
    await prisma.document.create({ data: { ...version, liveId: document.uid } });
    const section = await createDocument(server, { type: 'Section' });
    const closed = await createDocument(server, { type: 'Section' });
    await setAcl(server, closed.path, [block]);
    for (const { uid, path } of [section, closed]) {
      const above = await prisma.document.findFirstOrThrow({ where: { id: uid } });
      const place = { parentId: uid, path: `${path}/published`, name: 'published', aclId: above.aclId };
      const shows = { isProxy: true, liveId: document.uid, targetId: version.id };
      await prisma.document.create({
        data: { ...row, properties: {}, id: randomUUID(), ...place, ...shows },
      });
    }
    expect(await said(document, 'publications')).toEqual({ resultCount: 2, resultsCount: 2 });
    expect(await said(document, 'publications', ann)).toEqual({ resultCount: 1, resultsCount: 1 });
    expect(await said({ ...document, uid: version.id }, 'publications')).toMatchObject({ resultCount: 2 });
  });
});
