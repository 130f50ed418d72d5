import { beforeEach, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { mailsOf } from '../../support/mails.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { createGroup, createUser } from '../../support/users.ts';

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
  expect(mail).toMatchObject({ to: ['ann@example.org'], subject: 'A permission for you' });
  expect(mail?.text).toContain('Administrator gives ann the permission Read on "Two lines".');
  expect(mail?.text).toMatch(new RegExp(`^http://\\S+/api/v1/repo/default/id/${uid}$`, 'm'));
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

test('A guest is known by an address', async () => {
  await notify({ email: 'guest@example.org', end: '2100-01-01T00:00:00Z' });
  expect(await mailsOf(server)).toMatchObject([{ to: ['guest@example.org'] }]);
});

test('Without an address, for too many, and for other ACEs it is refused', async () => {
  await createUser(server, 'mute');
  await createReachable('odd', [], 'odd@example.org\r\nBcc: all@example.org');
  for (const id of ['mute', 'odd', 'Everyone']) {
    const { answer } = await notify({ users: [id] });
    expect([answer.status, answer.body.message]).toEqual([400, `${id} has no e-mail address`]);
  }
  await createGroup(server, 'large');
  for (const id of ['l1', 'l2', 'l3', 'l4']) await createReachable(id, ['large']);
  expect((await notify({ users: ['large'] })).answer.status).toBe(429);
  const input = '/default-domain';
  await call(server.request, operation, { input, params: { id: 'no:such' } }).expect(400);
  expect(await mailsOf(server)).toEqual([]);
});
