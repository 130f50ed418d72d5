/** @group slow */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runJobs } from '../support/jobs.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

let mail: MailServer;
let server: TestServer;
beforeAll(async () => {
  mail = await startMailServer();
  server = await startServer({ SMTP_URL: mail.url, PUBLIC_URL: 'http://localhost:8080' });
  await runJobs(server);
});
afterAll(async () => {
  await server.stop();
  await mail[Symbol.asyncDispose]();
});
beforeEach(() => {
  mail.received.length = 0;
});

async function person(id: string): Promise<string> {
  await createUser(server, id, ['members']);
  const properties = { email: `${id}@example.org` };
  await server.database.prisma.user.update({ where: { id }, data: { properties } });
  return id;
}

/** Signs in. @returns the cookie that recognizes the browser */
async function signIn(username: string, cookie = '', secret = password): Promise<string> {
  const sent = server.anonymous.post('/login').set('User-Agent', firefox).set('Cookie', cookie);
  const { headers } = await sent.send({ username, password: secret });
  const cookies = [headers['set-cookie'] ?? []].flat().map(String);
  const device = cookies.find((each) => each.startsWith('quire-device='));
  if (device) expect(device).toMatch(/; Path=\/; .*HttpOnly; SameSite=Strict$/);
  return device?.split(';', 1)[0] ?? '';
}

const sent = () =>
  until(async () => (await server.database.prisma.job.count({ where: { kind: 'send-mail' } })) === 0);

test('§5 a sign-in with a new browser is mailed and logged, once for each browser and user', async () => {
  const [ann, bob] = [await person('ann'), await person('bob')];
  const cookie = await signIn(ann);
  await sent();
  expect(mail.received).toEqual([
    {
      to: ['ann@example.org'],
      subject: 'New sign-in to your account',
      text: expect.stringMatching(/Firefox, Windows\s+IP address: (::ffff:)?127\.0\.0\.1/),
    },
  ]);
  expect(await signIn(ann, cookie)).toBe(cookie);
  await signIn(bob, cookie);
  await sent();
  expect(mail.received.map(({ to }) => to)).toEqual([['ann@example.org'], ['bob@example.org']]);

  const [entry] = await server.database.prisma.logEntry.findMany({
    where: { principalName: ann, eventId: 'user_modified' },
  });
  expect(entry?.extended).toMatchObject({ id: ann, created: 'device', browser: 'Firefox, Windows' });
});

test('§5 a wrong password, an unknown user and Basic are not sign-ins with a browser', async () => {
  const id = await person('cem');
  expect(await signIn(id, '', 'wrong')).toBe('');
  expect(await signIn('nobody')).toBe('');
  await server.anonymous.get('/api/v1/me').auth(id, password).expect(200);
  await sent();
  expect(mail.received).toEqual([]);
});

test('§5 a forged cookie counts as a new browser, and is replaced', async () => {
  const id = await person('dora');
  const forged = `quire-device=${'x'.repeat(9_00)}`;
  expect(await signIn(id, forged)).not.toBe(forged);
  await sent();
  expect(mail.received).toHaveLength(1);
  const rows = await server.database.prisma.knownDevice.findMany({ where: { userId: id } });
  expect(rows).toHaveLength(1);
});

test('§5 a user without an email address signs in without a mail', async () => {
  await createUser(server, 'no-mail');
  expect(await signIn('no-mail')).not.toBe('');
  await sent();
  expect(mail.received).toEqual([]);
});
