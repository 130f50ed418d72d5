import { beforeEach, describe, expect, test } from '@jest/globals';
import { deleteOldMails } from '../../../src/store/mail/queue-mail.ts';
import { createDocument } from '../../support/documents.ts';
import { mailsOf } from '../../support/mails.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createGroup, createUser } from '../../support/users.ts';

const server = useServer({ MAIL_LIMIT: '3' });
beforeEach(async () => {
  await server.database.prisma.mail.deleteMany();
});

const operation = 'Document.SendNotificationEmailForPermission';

async function createReachable(id: string, groups: readonly string[] = [], email = `${id}@example.org`) {
  await createUser(server, id, groups);
  await server.database.prisma.user.update({ where: { id }, data: { properties: { email } } });
}

/** Grants Read on a new document, and mails about it. */
async function notify(granted: Record<string, unknown>, title = 'A title') {
  const { uid } = await createDocument(server, { properties: { 'dc:title': title } });
  const params = { permission: 'Read', ...granted };
  await call(server.request, 'Document.AddPermission', { input: uid, params }).expect(200);
  const { body } = await server.request.get(`/api/v1/id/${uid}`).set('enrichers.document', 'acls');
  const [{ aces }] = body.contextParameters.acls;
  const answer = await call(server.request, operation, { input: uid, params: { id: aces[0].id } });
  return { uid, answer };
}

test('The user of an ACE gets a mail with title, permission, link and comment', async () => {
  await createReachable('ann');
  const { uid, answer } = await notify({ users: ['ann'], comment: 'Look\nhere' }, 'Two\nlines');
  expect([answer.status, answer.text]).toEqual([204, '']);
  const [mail, ...others] = await mailsOf(server);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: ['ann@example.org'], subject: 'You have been given access' });
  expect(mail?.text).toContain('Administrator granted the permission Read on "Two lines" to ann.');
  expect(mail?.text).toMatch(new RegExp(`^http://\\S+/document/${uid}$`, 'm'));
  expect(mail?.text).toContain('\n> Look\n> here\n');
});

test('The members of a group get mails of their own, by as many statements as one', async () => {
  await createGroup(server, 'small');
  await createGroup(server, 'crew');
  await createGroup(server, 'inner', ['crew']);
  await createReachable('one', ['small']);
  for (const id of ['two', 'three']) await createReachable(id, ['crew']);
  await createReachable('four', ['inner', 'crew']);
  const alone = await notify({ users: ['small'] });
  await server.database.prisma.mail.deleteMany();
  const many = await notify({ users: ['crew'] });
  const to = (await mailsOf(server)).map((mail) => mail.to);
  expect(to.sort()).toEqual([['four@example.org'], ['three@example.org'], ['two@example.org']]);
  expect(statements(many.answer)).toBe(statements(alone.answer));
});

test('Each member of a group gets the mail in the own language, or else in that of the request', async () => {
  await createGroup(server, 'mixed');
  for (const id of ['eva', 'elsa']) await createReachable(id, ['mixed']);
  await as(server, 'eva')
    .put('/api/v1/me/notifications')
    .send({ 'entity-type': 'notifications', language: 'fr' })
    .expect(200);
  await notify({ users: ['mixed'] });
  const subjects = Object.fromEntries((await mailsOf(server)).map(({ to, subject }) => [to[0], subject]));
  expect(subjects).toEqual({
    'eva@example.org': 'Un accès vous a été accordé',
    'elsa@example.org': 'You have been given access',
  });
});

test('A guest is known by an address', async () => {
  await notify({ email: 'guest@example.org', end: '2100-01-01T00:00:00Z' });
  expect(await mailsOf(server)).toMatchObject([{ to: ['guest@example.org'] }]);
});

test('Without an address, for too many, and for other ACEs it is refused', async () => {
  await createUser(server, 'mute');
  await createReachable('odd', [], 'odd@example.org\r\nBcc: all@example.org');
  for (const id of ['mute', 'odd', 'Everyone']) {
    const { answer } = await notify({ users: [id] });
    expect([answer.status, answer.body.message]).toEqual([400, `${id} has no e-mail address.`]);
  }
  await createGroup(server, 'large');
  for (const id of ['l1', 'l2', 'l3', 'l4']) await createReachable(id, ['large']);
  expect((await notify({ users: ['large'] })).answer.status).toBe(429);
  const input = '/default-domain';
  await call(server.request, operation, { input, params: { id: 'no:such' } }).expect(400);
  expect(await mailsOf(server)).toEqual([]);
});

describe('§2.5 notify', () => {
  const addresses = (mails: Awaited<ReturnType<typeof mailsOf>>) => mails.map(({ to }) => to[0]).sort();
  const add = (input: unknown, params: Record<string, unknown>, headers: Record<string, string> = {}) =>
    call(server.request, 'Document.AddPermission', {
      input,
      params: { permission: 'Write', notify: true, ...params },
    }).set(headers);

  test('Document.AddPermission mails to those to whom it grants, with the comment, in the language asked for', async () => {
    await createReachable('eve');
    await createUser(server, 'silent');
    const { uid } = await createDocument(server, { properties: { 'dc:title': 'Plan' } });
    const params = { users: ['eve', 'silent', 'Everyone'], comment: 'Lis ceci' };
    await add(uid, params, { 'Accept-Language': 'fr' }).expect(200);
    const mails = await mailsOf(server);
    expect(mails).toMatchObject([{ to: ['eve@example.org'], subject: 'Un accès vous a été accordé' }]);
    expect(mails[0]?.text).toContain('Administrator a accordé la permission Write sur « Plan » à eve.');
    expect(mails[0]?.text).toContain('\n> Lis ceci\n');
  });

  test('nothing is sent without it, for the same ACE again, for a denial, or for one that has ended', async () => {
    await createReachable('ned');
    const { uid, path } = await createDocument(server);
    await add(uid, { users: ['ned'], notify: false }).expect(200);
    await add(uid, { users: ['ned'] }).expect(200);
    await add(uid, { users: ['ned'], end: '2001-01-01T00:00:00Z' }).expect(200);
    const params = { user: 'ned', permission: 'Read', grant: false };
    await call(server.request, 'Document.AddACE', { input: path, params }).expect(200);
    expect(await mailsOf(server)).toEqual([]);
  });

  test('an ACE that replaces another one notifies as well, and the others of the ACL do not again', async () => {
    await createReachable('pat');
    await createReachable('sam');
    const { uid } = await createDocument(server);
    await add(uid, { users: ['pat'] }).expect(200);
    const { body } = await server.request.get(`/api/v1/id/${uid}`).set('enrichers.document', 'acls');
    const [{ id }] = body.contextParameters.acls[0].aces;
    const params = { id, username: 'sam', permission: 'Read', notify: true };
    await call(server.request, 'Document.ReplacePermission', { input: uid, params }).expect(200);
    expect(addresses(await mailsOf(server))).toEqual(['pat@example.org', 'sam@example.org']);
  });

  test('above MAIL_LIMIT nothing is granted', async () => {
    await createGroup(server, 'crowd');
    for (const id of ['c1', 'c2', 'c3', 'c4']) await createReachable(id, ['crowd']);
    const { uid } = await createDocument(server);
    const { headers } = await add(uid, { users: ['crowd'] }).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const { body } = await server.request.get(`/api/v1/id/${uid}/@acl`).expect(200);
    expect(body.acl.flatMap(({ name }: { name: string }) => (name === 'local' ? [name] : []))).toEqual([]);
  });

  test('of an ACE that is not effective yet the mail waits, and is not deleted until it is sent', async () => {
    await createReachable('ada');
    const { uid } = await createDocument(server);
    const begin = new Date(Date.now() + 86_400_000 * 60).toISOString();
    await add(uid, { users: ['ada'], begin }).expect(200);
    const mail = await server.database.prisma.mail.findFirstOrThrow();
    expect(mail.notBefore.toISOString().slice(0, 19)).toBe(begin.slice(0, 19));
    await server.database.prisma.mail.updateMany({ data: { createdAt: new Date(0) } });
    expect(await deleteOldMails(server.database, 30)).toBe(0);
    const sent = new Date(Date.now() - 86_400_000 * 31);
    await server.database.prisma.mail.updateMany({ data: { notBefore: sent, status: 'pending' } });
    expect(await deleteOldMails(server.database, 30)).toBe(0);
    await server.database.prisma.mail.updateMany({ data: { status: 'sent' } });
    expect(await deleteOldMails(server.database, 30)).toBe(1);
  });

  test('a mail that waits is withdrawn with its ACE, and with no other one', async () => {
    await createReachable('jim');
    await createReachable('kim');
    const { uid, path } = await createDocument(server);
    const begin = new Date(Date.now() + 86_400_000).toISOString();
    await add(uid, { users: ['jim', 'kim'], begin }).expect(200);
    await add((await createDocument(server)).uid, { users: ['jim'], begin }).expect(200);
    expect(await mailsOf(server)).toHaveLength(3);
    const remove = (user: string) =>
      call(server.request, 'Document.RemovePermission', { input: path, params: { user } }).expect(200);
    await remove('jim');
    expect(addresses(await mailsOf(server))).toEqual(['jim@example.org', 'kim@example.org']);
    await server.database.prisma.mail.updateMany({ data: { status: 'sent' } });
    await remove('kim');
    expect(addresses(await mailsOf(server))).toEqual(['jim@example.org', 'kim@example.org']);
  });

  test('notifying many takes as many statements as notifying one', async () => {
    for (const id of ['m1', 'm2', 'm3']) await createReachable(id);
    const granted = async (users: readonly string[]) => {
      await server.database.prisma.mail.deleteMany();
      const { uid } = await createDocument(server);
      return statements(await add(uid, { users }).expect(200));
    };
    expect(await granted(['m1', 'm2', 'm3'])).toBe(await granted(['m1']));
  });
});
