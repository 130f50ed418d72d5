import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type InboxQuery,
  inbox,
  type MarkInboxReadMutation,
  markInboxRead,
} from '../../../web/src/graphql/operations.ts';
import { comment } from '../../rest/comments/comment-requests.ts';
import { reviewing } from '../../rest/workflows/workflow-requests.ts';
import { grant, only, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { askGraphql, calling } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createGroup, createUser } from '../../support/users.ts';

const server = useServer();
const run = calling(server);

type Inbox = InboxQuery['inbox'];

// Only administrators can send operations that the console does not send.
const inboxOf = async (id: string): Promise<Inbox> =>
  (await askGraphql<InboxQuery>(as(server, id), inbox.text)).inbox;

const markRead = async (id: string, entries: readonly number[]): Promise<Inbox> =>
  (await askGraphql<MarkInboxReadMutation>(as(server, id), markInboxRead.text, { entries })).markInboxRead;

let count = 0;

/** New users, so that each test begins with empty inboxes. */
async function people(...groups: string[]): Promise<[string, string]> {
  count += 1;
  const [one, other] = [`one-${count}`, `other-${count}`];
  await createUser(server, one, groups);
  await createUser(server, other);
  return [one, other];
}

/** A document that nobody but the users can read, because they are not members. */
async function sharedWith(...ids: string[]): Promise<DocumentEntity> {
  const made = await createDocument(server, { type: 'Folder' });
  const aces = [...ids.map((id) => grant(id, 'Read')), ...only('Administrator', 'Everything')];
  await setAcl(server, made.path, aces);
  return made;
}

const kinds = ({ entries }: Inbox) => entries.map(({ reason, entry }) => `${reason} ${entry.eventId}`);

beforeAll(() => createGroup(server, 'staff'));

describe('The inbox', () => {
  test('has mentions, replies, and shares with the user or a group, newest first, with the text of comments', async () => {
    const [one, other] = await people('staff');
    const { uid } = await sharedWith('staff', other);
    const first = await comment(as(server, one), uid, 'first');
    await comment(as(server, other), first.id, 'reply');
    await comment(as(server, other), uid, `look, @${one}`);
    await comment(as(server, one), uid, `myself, @${one}`);
    const found = await inboxOf(one);
    expect(kinds(found)).toEqual([
      'mention commentAdded',
      'reply commentAdded',
      'share documentSecurityUpdated',
    ]);
    expect(found.entries.map(({ comment: about }) => about?.text ?? null)).toEqual([
      `look, @${one}`,
      'reply',
      null,
    ]);
    expect(found.entries[0]).toMatchObject({ document: { uid }, entry: { principalName: other } });
    expect(kinds(await inboxOf(other))).toEqual(['share documentSecurityUpdated']);
  });

  test('has tasks and changes in followed documents, but nothing about other people', async () => {
    const [one, other] = await people();
    const folder = await sharedWith(one, other);
    await run('Document.Subscribe', folder.uid, {}, as(server, one)).expect(200);
    const file = await createDocument(server, { parent: folder.path, type: 'File' });
    await reviewing(server).begun('Administrator', 'SerialDocumentReview', file, {
      participants: [`user:${one}`],
    });
    const found = kinds(await inboxOf(one));
    expect(found).toContain('task afterWorkflowTaskCreated');
    expect(found).toContain('follow documentCreated');
    expect(found).toContain('share documentSecurityUpdated');
    expect(kinds(await inboxOf(other))).toEqual(['share documentSecurityUpdated']);
  });

  test('has changes in followed documents only since the user has followed them', async () => {
    const [one, other] = await people();
    const folder = await sharedWith(one, other);
    await createDocument(server, { parent: folder.path, type: 'File', name: 'before' });
    const own = await createDocument(server, { parent: folder.path, type: 'File' });
    for (const { uid } of [folder, own])
      await run('Document.Subscribe', uid, {}, as(server, one)).expect(200);
    expect(kinds(await inboxOf(one))).toEqual(['share documentSecurityUpdated']);
    const made = await createDocument(server, { parent: folder.path, type: 'File', name: 'after' });
    const { entries } = await inboxOf(one);
    expect(entries.filter(({ reason }) => reason === 'follow').map(({ document }) => document?.uid)).toEqual([
      made.uid,
    ]);
    // Subscribing again does not hide what has happened in the meantime.
    await run('Document.Subscribe', folder.uid, {}, as(server, one)).expect(200);
    expect((await inboxOf(one)).entries).toHaveLength(entries.length);
  });

  test('does not show what the user cannot read any more', async () => {
    const [one, other] = await people();
    const { uid, path } = await sharedWith(one, other);
    await comment(as(server, other), uid, `@${one}`);
    expect((await inboxOf(one)).unread).toBe(2);
    await setAcl(server, path, [grant(other, 'Read'), ...only('Administrator', 'Everything')]);
    expect(await inboxOf(one)).toEqual({ unread: 0, entries: [] });
  });

  test('says nothing of who else got access: neither to readers of the log nor to those who had it before', async () => {
    const [one, other] = await people();
    const { uid, path } = await sharedWith(one);
    await setAcl(server, path, [
      grant(one, 'ReadWrite'),
      grant(other, 'Read'),
      ...only('Administrator', 'Everything'),
    ]);
    expect((await inboxOf(one)).entries).toHaveLength(1);
    const { body } = await as(server, one)
      .get(`${atId(uid)}/@audit`)
      .expect(200);
    expect(JSON.stringify(body)).not.toContain(other);
  });

  test('remembers which entries have been read, one by one or all of them', async () => {
    const [one, other] = await people();
    const { uid } = await sharedWith(one, other);
    for (const words of ['a', 'b', 'c']) await comment(as(server, other), uid, `${words} @${one}`);
    const { entries, unread } = await inboxOf(one);
    expect(unread).toBe(4);
    const ids = entries.map(({ entry }) => entry.id);
    const after = await markRead(one, ids.slice(1, 2));
    expect(after.entries.map(({ isUnread }) => isUnread)).toEqual([true, false, true, true]);
    expect(after.unread).toBe(3);
    expect((await markRead(one, ids)).unread).toBe(0);
    await comment(as(server, other), uid, `d @${one}`);
    expect((await inboxOf(one)).entries.map(({ isUnread }) => isUnread)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect((await inboxOf(other)).unread).toBe(1);
  });

  test('remembers the newest 500 marks, and takes all older entries as read', async () => {
    const [one, other] = await people();
    const { uid } = await sharedWith(one, other);
    await comment(as(server, other), uid, `@${one}`);
    const newest = (await inboxOf(one)).entries[0]?.entry.id ?? 0;
    const later = Array.from({ length: 501 }, (_, at) => newest + at);
    expect((await markRead(one, later)).unread).toBe(0);
    const where = { id: one };
    const { readEntries, readUntil } = await server.database.prisma.user.findUniqueOrThrow({ where });
    expect([readEntries.length, Number(readUntil)]).toEqual([500, newest]);
  });

  test.each([
    [[1.5], /entries must be ids of log entries; got 1\.5\./],
    [[-1], /entries must be ids of log entries; got -1\./],
    [Array.from({ length: 1_001 }, (_, at) => at), /entries must contain at most 1000 ids; got 1001\./],
  ])('refuses wrong marks (%#)', async (entries, message) => {
    const [one] = await people();
    await expect(markRead(one, entries)).rejects.toThrow(message);
  });

  test('takes as many statements for many entries as for one', async () => {
    const [one, other] = await people();
    const { uid } = await sharedWith(one, other);
    await comment(as(server, other), uid, `@${one}`);
    const cost = async () =>
      statements(await as(server, one).post('/graphql').send({ query: inbox.text }).expect(200));
    await cost();
    const before = await cost();
    for (let at = 0; at < 5; at += 1) {
      const more = await sharedWith(one, other);
      await comment(as(server, other), more.uid, `@${one}`);
    }
    await cost();
    expect(await cost()).toBe(before);
  });
});
