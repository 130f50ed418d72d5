import { beforeEach, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { mailsOf } from '../../support/mails.ts';
import { calling } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createGroup, createUser, useUser } from '../../support/users.ts';
import { atComments, comment, commentBody, sendComment } from './comment-requests.ts';

const server = useServer({ MAIL_LIMIT: '5' });
const run = calling(server);
const bob = useUser(server, 'bob', ['members']);

beforeEach(async () => {
  await server.database.prisma.mail.deleteMany();
});

let count = 0;

/** A user with an address who subscribes to a document. */
async function subscriber(
  uid: string,
  { groups = ['members'], names = 'CommentAdded' } = {},
): Promise<string> {
  count += 1;
  const id = `reader-${count}`;
  await createUser(server, id, groups);
  const data = { properties: { email: `${id}@example.org` } };
  await server.database.prisma.user.update({ where: { id }, data });
  await run('Document.Subscribe', uid, { notifications: names }, as(server, id)).expect(200);
  return id;
}

const recipients = async (): Promise<string[]> => (await mailsOf(server)).flatMap(({ to }) => to).sort();

describe('§4.7 a comment is mailed', () => {
  test('to subscribers of the document and of a folder above, in the language of its author', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { uid } = await createDocument(server, { parent: folder.path, properties: { 'dc:title': 'Plan' } });
    const here = await subscriber(uid);
    const above = await subscriber(folder.uid);
    await subscriber(uid, { names: 'Modification' });
    const made = await comment(bob, uid, 'Nice\nindeed');
    expect(await recipients()).toEqual([`${here}@example.org`, `${above}@example.org`].sort());
    const [mail] = await mailsOf(server);
    expect(mail).toMatchObject({ createdBy: 'bob', subject: 'A new comment' });
    expect(mail?.text).toMatch(/^bob commented on "Plan"\.\n\nhttp\S+\/document\/\S+\n\n> Nice\n> indeed\n$/);
    expect(mail?.text).toContain(uid);
    const thread = await subscriber(made.id);
    await sendComment(bob, made.id, 'Merci').set('Accept-Language', 'fr').expect(201);
    expect((await mailsOf(server))[0]?.subject).toBe('Un nouveau commentaire');
    expect(await recipients()).toContain(`${thread}@example.org`);
  });

  test('in the language that a subscriber chose', async () => {
    const { uid } = await createDocument(server);
    const id = await subscriber(uid);
    await as(server, id)
      .put('/api/v1/me/notifications')
      .send({ 'entity-type': 'notifications', language: 'fr' })
      .expect(200);
    await comment(bob, uid);
    expect(await mailsOf(server)).toMatchObject([{ subject: 'Un nouveau commentaire' }]);
  });

  test('not to its author, not to those who may no longer read, and not without an address', async () => {
    const { uid, path } = await createDocument(server);
    await createGroup(server, 'inner', ['members']);
    const through = await subscriber(uid, { groups: ['inner'] });
    const author = await subscriber(uid);
    await subscriber(uid, { groups: ['members'] });
    await run('Document.Subscribe', uid, {}, bob).expect(200); // has no address
    await setAcl(server, path, [
      grant('inner', 'Read'),
      grant(author, 'Read'),
      deny('Everyone', 'Everything'),
    ]);
    await comment(as(server, author), uid, 'Nice');
    expect(await recipients()).toEqual([`${through}@example.org`]);
  });

  test('also when it is changed, to those who subscribed to that', async () => {
    const { uid } = await createDocument(server);
    const id = await subscriber(uid, { names: 'CommentUpdated' });
    const made = await comment(bob, uid);
    expect(await recipients()).toEqual([]);
    await bob
      .put(atComments(uid, `/${made.id}`))
      .send(commentBody('Better'))
      .expect(200);
    const [mail] = await mailsOf(server);
    expect(mail).toMatchObject({ to: [`${id}@example.org`], subject: 'A comment was edited' });
    expect(mail?.text).toContain('> Better');
  });

  test('to MAIL_LIMIT recipients within an hour; a comment is not refused beyond that', async () => {
    const { uid } = await createDocument(server);
    for (let at = 0; at < 6; at += 1) await subscriber(uid);
    await comment(server.request, uid);
    expect(await recipients()).toHaveLength(5);
    await comment(server.request, uid);
    expect(await recipients()).toHaveLength(5);
    expect(server.logged).toContainEqual(
      expect.objectContaining({
        msg: 'Notifications about a comment were not sent, because they would exceed MAIL_LIMIT.',
        user: 'Administrator',
      }),
    );
  });

  test('in as many statements for many subscribers as for one', async () => {
    const costs: number[] = [];
    for (const size of [1, 4]) {
      await server.database.prisma.mail.deleteMany();
      const { uid } = await createDocument(server);
      await comment(server.request, uid);
      for (let at = 0; at < size; at += 1) await subscriber(uid);
      costs.push(statements(await sendComment(server.request, uid, 'Nice').expect(201)));
    }
    expect(costs[1]).toBe(costs[0]);
  });
});
