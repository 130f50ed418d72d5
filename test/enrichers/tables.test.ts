import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);

const repository = 'default';
const block = deny('Everyone', 'Everything');

/** The value of one enricher of a document. */
async function said({ uid }: DocumentEntity, enricher: string, agent = server.request) {
  const headers = { 'enrichers.document': enricher, depth: 'root' };
  const { body } = await agent.get(`/api/v1/id/${uid}`).set(headers).expect(200);
  return body.contextParameters[enricher];
}

/** A collection with members, which are written to the database directly. */
async function collectionOf(members: readonly DocumentEntity[], properties = {}): Promise<DocumentEntity> {
  const collection = await createDocument(server, { type: 'Collection', properties });
  const data = members.map(({ uid }, position) => ({
    repository,
    collectionId: collection.uid,
    memberId: uid,
    position,
  }));
  await server.database.prisma.collectionMember.createMany({ data });
  return collection;
}

describe('§4.9 the enrichers of collections', () => {
  test('list the readable collections of a document by title', async () => {
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

  test('list the collections of the addressed document and of the entries of a list (§8)', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const document = await createDocument(server, { parent: folder.path });
    for (let number = 0; number < 51; number += 1) await collectionOf([document]);
    expect(await said(document, 'collections')).toHaveLength(51);
    const { body } = await server.request
      .get(`/api/v1/id/${folder.uid}/@children`)
      .set('enrichers.document', 'collections')
      .expect(200);
    expect(body.entries[0].contextParameters.collections).toHaveLength(51);
  });

  test('set hasContent for a visible member that the caller can read', async () => {
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

  test('fetch the readable members with collection:documentIds', async () => {
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

describe('§4.9 the enricher favorites', () => {
  test('considers only the favorites of the caller', async () => {
    const document = await createDocument(server);
    expect(await said(document, 'favorites', ann)).toBe(false);
    const workspaces = await createDocument(server, {
      parent: '/default-domain',
      type: 'UserWorkspacesRoot',
      name: 'UserWorkspaces',
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

describe('§4.9 the enricher tags', () => {
  test('lists each label once, in order', async () => {
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

describe('§4.9 the enricher subscribedNotifications', () => {
  test('lists the subscriptions of the caller, in order', async () => {
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

describe('§4.9 the enricher publications', () => {
  test('counts the readable proxies of the document and of its versions', async () => {
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
