import { describe, expect, test } from '@jest/globals';
import { notificationNames } from '../../../src/model/notifications.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser, deleteUser, useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);

/** The subscriptions to a document, as `user: notification`. */
async function subscriptionsTo({ uid }: DocumentEntity): Promise<string[]> {
  const rows = await server.database.prisma.subscription.findMany({ where: { documentId: uid } });
  return rows.map(({ userId, notification }) => `${userId}: ${notification}`).sort();
}

const subscribe = (input: unknown, params: Record<string, unknown> = {}, who = bob) =>
  call(who, 'Document.Subscribe', { input, params });
const unsubscribe = (input: unknown, params: Record<string, unknown> = {}) =>
  call(bob, 'Document.Unsubscribe', { input, params });

const some = (count: number) => Promise.all(Array.from({ length: count }, () => createDocument(server)));

describe('Document.Subscribe', () => {
  test('subscribes the caller once and leaves the document unchanged', async () => {
    const document = await createDocument(server);
    const params = { notifications: 'Creation, Modification' };
    const { body } = await subscribe(document.path, params).expect(200);
    expect(body).toMatchObject({ uid: document.uid, changeToken: '0-0' });
    await subscribe(document.uid, { notifications: ['Modification'] }).expect(200);
    await subscribe(document.uid, { notifications: ['Creation'] }, server.request).expect(200);
    expect(await subscriptionsTo(document)).toEqual([
      'Administrator: Creation',
      'bob: Creation',
      'bob: Modification',
    ]);
  });

  test('subscribes to all notifications by default, at the same cost for fifty documents', async () => {
    const documents = await some(50);
    const uids = documents.map(({ uid }) => uid);
    const one = await subscribe([uids[0]]).expect(200);
    const all = await subscribe(uids).expect(200);
    expect(all.body.entries.map(({ uid }: DocumentEntity) => uid)).toEqual(uids);
    expect(statements(all)).toBe(statements(one));
    expect(await subscriptionsTo(documents[49] as DocumentEntity)).toEqual(
      notificationNames.map((name) => `bob: ${name}`).sort(),
    );
  });

  test('counts a document and a notification once, however often a call names them', async () => {
    const document = await createDocument(server);
    const notifications = Array(1_000).fill('Creation');
    const { body } = await subscribe(Array(1000).fill(document.uid), { notifications })
      .set('Svc-Transaction-Timeout', '10')
      .expect(200);
    expect(body.entries).toHaveLength(1000);
    expect(await subscriptionsTo(document)).toEqual(['bob: Creation']);
  });

  test('takes an empty field of a form for all notifications, and refuses unknown ones', async () => {
    const document = await createDocument(server);
    await subscribe(document.uid, { notifications: 'Nosuch' }).expect(400);
    expect(await subscriptionsTo(document)).toEqual([]);
    await subscribe(document.uid, { notifications: '' }).expect(200);
    expect(await subscriptionsTo(document)).toHaveLength(notificationNames.length);
    await unsubscribe(document.uid, { notifications: [] }).expect(200);
    expect(await subscriptionsTo(document)).toHaveLength(notificationNames.length);
  });

  test('refuses a list with an unknown document and subscribes to none', async () => {
    const document = await createDocument(server);
    await subscribe([document.uid, '/nosuch']).expect(404);
    expect(await subscriptionsTo(document)).toEqual([]);
  });
});

describe('Document.Unsubscribe', () => {
  test('ends the given subscriptions of the caller, or all of them, and no others', async () => {
    const document = await createDocument(server);
    await subscribe(document.uid, { notifications: 'Creation,Modification,Publication' }).expect(200);
    await subscribe(document.uid, { notifications: 'Creation' }, server.request).expect(200);
    const { body } = await unsubscribe(document.uid, { notifications: 'Creation,CommentAdded' }).expect(200);
    expect(body.uid).toBe(document.uid);
    expect(await subscriptionsTo(document)).toEqual([
      'Administrator: Creation',
      'bob: Modification',
      'bob: Publication',
    ]);
    await unsubscribe([document.uid]).expect(200);
    expect(await subscriptionsTo(document)).toEqual(['Administrator: Creation']);
  });
});

describe('Subscriptions', () => {
  test('end when the document or the user is deleted', async () => {
    const eve = as(server, await createUser(server, 'eve', ['members']));
    const [folder, kept] = [await createDocument(server, { type: 'Folder' }), await createDocument(server)];
    const inside = await createDocument(server, { parent: folder.path });
    await subscribe([inside.uid, kept.uid], { notifications: 'Creation' }).expect(200);
    await subscribe(kept.uid, { notifications: 'Creation' }, eve).expect(200);
    await server.request.delete(`/api/v1/id/${folder.uid}`).expect(204);
    expect(await subscriptionsTo(inside)).toEqual([]);
    await deleteUser(server, 'eve');
    expect(await subscriptionsTo(kept)).toEqual(['bob: Creation']);
  });
});
