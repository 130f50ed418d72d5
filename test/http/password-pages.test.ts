/** @group slow */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { runJobs } from '../support/jobs.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { directorySettings } from '../support/slapd.ts';
import { until } from '../support/until.ts';
import { createUser, password } from '../support/users.ts';

const publicUrl = 'http://localhost:8080';
const fresh = 'three green parrots';

let mail: MailServer;
let server: TestServer;
beforeAll(async () => {
  mail = await startMailServer();
  server = await startServer({
    SMTP_URL: mail.url,
    PUBLIC_URL: publicUrl,
    CONTEXT_PATH: '/quire',
    PASSWORD_MIN_LENGTH: '8',
    LOGIN_FAILURES: '1000',
  });
  await runJobs(server);
});
afterAll(async () => {
  await server.stop();
  await mail[Symbol.asyncDispose]();
});
beforeEach(() => {
  mail.received.length = 0;
});

async function person(id: string, email = `${id}@example.org`): Promise<string> {
  await createUser(server, id, ['members']);
  await server.database.prisma.user.update({ where: { id }, data: { properties: { email } } });
  return id;
}

const request = (name: string) =>
  server.anonymous.post('/quire/password/forgotten').type('form').send({ name });

/** Waits until all requests for links have been worked on and all mails sent. */
const done = () =>
  until(async () => {
    const kind = { in: ['send-reset', 'send-mail'] };
    return (await server.database.prisma.job.count({ where: { kind } })) === 0;
  });

const tokenIn = ({ text }: ReceivedMail): string =>
  new URL(/^http\S+$/m.exec(text)?.[0] ?? '').searchParams.get('token') ?? '';

/** Requests a link and returns its token. */
async function tokenFor(name: string): Promise<string> {
  await request(name).expect(200);
  await done();
  const [received] = mail.received.splice(0);
  if (!received) throw new Error(`${name} got no mail`);
  return tokenIn(received);
}

const reset = (token: string, chosen: string, again = chosen) =>
  server.anonymous.post('/quire/password/reset').type('form').send({ token, password: chosen, again });

const status = async (id: string, secret: string): Promise<number> =>
  (await server.anonymous.get('/quire/api/v1/me').auth(id, secret)).status;

describe('§5 a forgotten password', () => {
  test('is replaced by means of a link that is mailed, once, and all credentials end', async () => {
    const id = await person('ann');
    const login = await server.anonymous.post('/quire/login').send({ username: id, password }).expect(204);
    const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? '';
    const { text: loginToken } = await server.anonymous
      .post('/quire/api/v1/token?application=Phone')
      .auth(id, password)
      .expect(201);

    await request(id).expect(200);
    await done();
    const resets = mail.received.filter(({ subject }) => subject !== 'New sign-in to your account');
    expect(resets).toEqual([
      { to: ['ann@example.org'], subject: 'Reset your password', text: expect.stringContaining('user ann') },
    ]);
    const [received] = resets;
    expect(received?.text).toContain(`${publicUrl}/quire/password/reset?token=`);
    const token = tokenIn(received ?? { to: [], subject: '', text: '' });
    const page = await server.anonymous.get('/quire/password/reset').query({ token }).expect(200);
    expect(page.text).toContain('<strong>ann</strong>');
    expect(page.text).not.toMatch(/<script/i);

    const saved = await reset(token, fresh).expect(200);
    expect(saved.text).toContain('Your password is saved');
    expect([await status(id, fresh), await status(id, password)]).toEqual([200, 401]);
    await server.anonymous.get('/quire/api/v1/me').set('Cookie', cookie).expect(401);
    await server.anonymous.get('/quire/api/v1/me').set('X-Authentication-Token', loginToken).expect(401);
    await reset(token, 'another good one').expect(404);
    await server.anonymous.get('/quire/password/reset').query({ token }).expect(404);

    const logged = await server.database.prisma.logEntry.findMany({
      where: { principalName: id, eventId: 'user_modified' },
      orderBy: { id: 'asc' },
    });
    const details = logged.map(({ extended }) => extended as Record<string, unknown>);
    expect(details.filter(({ created }) => created !== 'device')).toEqual([
      { id, created: 'login token', application: 'Phone' },
      { id, password: 'reset requested' },
      { id, password: 'reset' },
    ]);
  });

  test('gets the same response whether or not there is an account, and no mail without one', async () => {
    await person('bea');
    await createUser(server, 'no-mail');
    const known = await request('bea').expect(200);
    for (const name of ['nobody', 'no-mail', 'nobody@example.org', "' OR 1=1 --", 'a\u0000b'])
      expect((await request(name).expect(200)).text).toBe(known.text);
    await done();
    expect(mail.received.map(({ to }) => to)).toEqual([['bea@example.org']]);
  });

  test('is found by the email address too, unless several users have it', async () => {
    await person('carl', 'Carl@Example.org');
    await person('twin-1', 'twins@example.org');
    await person('twin-2', 'twins@example.org');
    for (const name of ['carl@example.ORG', 'twins@example.org']) await request(name).expect(200);
    await done();
    expect(mail.received.map(({ to }) => to)).toEqual([['Carl@example.org']]);
  });

  test('cannot be replaced for a user without a password, which an administrator has removed', async () => {
    const id = await person('disabled');
    const token = await tokenFor(id);
    await server.database.prisma.user.update({ where: { id }, data: { passwordHash: null } });
    await reset(token, fresh).expect(404);
    await server.database.prisma.passwordReset.deleteMany();
    await request(id).expect(200);
    await done();
    expect(mail.received).toEqual([]);
  });

  test('is not replaced here if it belongs to a directory: the mail says where it is changed', async () => {
    const provider = {
      kind: 'ldap',
      label: 'Example Corp',
      servers: ['ldap://localhost:9'],
      base: 'dc=example,dc=org',
    };
    await using other = await startServer({
      ...directorySettings({ example: provider }),
      SMTP_URL: mail.url,
      PUBLIC_URL: publicUrl,
    });
    const stop = await runJobs(other);
    const { prisma } = other.database;
    for (const [id, endedAt] of [
      ['directed', null],
      ['gone', new Date()],
    ] as const) {
      await prisma.user.create({ data: { id, properties: { email: `${id}@example.org` } } });
      await prisma.identity.create({ data: { provider: 'example', subject: id, userId: id, endedAt } });
      for (let count = 0; count < 2; count += 1)
        await other.anonymous.post('/password/forgotten').type('form').send({ name: id }).expect(200);
    }
    await until(
      async () => (await prisma.job.count({ where: { kind: { in: ['send-reset', 'send-mail'] } } })) === 0,
    );
    expect(mail.received).toEqual([
      {
        to: ['directed@example.org'],
        subject: 'Where to change your password',
        text: expect.stringContaining('but signs in with Example Corp. Change or reset the password there.'),
      },
    ]);
    expect(mail.received[0]?.text).not.toContain('http');
    await stop();
  });

  test.each([
    [
      'the password is changed',
      (id: string) =>
        server.anonymous
          .put('/quire/api/v1/me/changepassword')
          .auth(id, password)
          .send({ 'entity-type': 'user', oldPassword: password, newPassword: 'three red parrots' })
          .expect(200),
    ],
    [
      'all credentials end',
      (id: string) => server.request.delete(`/quire/api/v1/user/${id}/credentials`).expect(204),
    ],
    ['the user is deleted', (id: string) => server.request.delete(`/quire/api/v1/user/${id}`).expect(204)],
    [
      'half an hour passes',
      (id: string) =>
        server.database.prisma.passwordReset.update({
          where: { userId: id },
          data: { sentAt: new Date(Date.now() - 31 * 60_000) },
        }),
    ],
  ])('keeps its link no longer than until %s', async (name, end) => {
    const id = await person(`user-${name.replaceAll(' ', '-')}`);
    const token = await tokenFor(id);
    await end(id);
    await reset(token, fresh).expect(404);
    expect(await status(id, fresh)).toBe(401);
  });

  test('gets at most one mail in five minutes, and a new link replaces the one before', async () => {
    const id = await person('eve');
    const first = await tokenFor(id);
    await request(id).expect(200);
    await done();
    expect(mail.received).toEqual([]);
    await server.database.prisma.passwordReset.update({
      where: { userId: id },
      data: { sentAt: new Date(Date.now() - 6 * 60_000) },
    });
    const second = await tokenFor(id);
    await reset(first, fresh).expect(404);
    await reset(second, fresh).expect(200);
  });

  test('is set once when a link is used twice at the same time', async () => {
    const token = await tokenFor(await person('fay'));
    const both = await Promise.all([reset(token, fresh), reset(token, 'three blue parrots')]);
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 404]);
  });

  test('is not stored with its token, in the table or in the text of the mail', async () => {
    const id = await person('gil');
    const token = await tokenFor(id);
    const rows = await server.database.prisma.$queryRaw`SELECT * FROM password_reset`;
    const mails = await server.database.prisma.$queryRaw`SELECT sealed_text FROM mail`;
    expect(JSON.stringify([rows, mails])).not.toContain(token);
  });

  test.each([
    ['short', 'short', 'at least 8 characters'],
    ['empty', '', 'The password is empty.'],
    ['common', 'Sunshine1!', 'easy to guess'],
    ['like the name of its user', 'Hannah-2026', 'must not contain the user name'],
  ])('is not replaced by one that is %s, which leaves the link valid', async (_, chosen, fault) => {
    const id = 'hannah';
    const before = await server.database.prisma.user.findUnique({ where: { id } });
    if (!before) await person(id);
    await server.database.prisma.passwordReset.deleteMany();
    const token = await tokenFor(id);
    const answer = await reset(token, chosen).expect(400);
    expect(answer.text).toContain(fault);
    await server.anonymous.get('/quire/password/reset').query({ token }).expect(200);
  });

  test('must be entered twice in the same way', async () => {
    const token = await tokenFor(await person('ida'));
    const answer = await reset(token, fresh, 'three green parrot').expect(400);
    expect(answer.text).toContain('The two passwords are different.');
  });

  test('is not asked for without a name, or from another site', async () => {
    expect((await request(' ').expect(400)).text).toContain('Enter a user name');
    await request('ann').set('Origin', 'https://elsewhere.example').expect(403);
    await reset('x', fresh).set('Sec-Fetch-Site', 'cross-site').expect(403);
    await server.anonymous.delete('/quire/password/reset').expect(405);
  });

  test('is asked for in the language of the browser, and mailed in that of the user', async () => {
    const id = await person('jean');
    const page = await server.anonymous
      .get('/quire/password/forgotten')
      .set('Accept-Language', 'fr')
      .expect(200);
    expect(page.text).toContain('Mot de passe oublié');
    await server.database.prisma.user.update({ where: { id }, data: { language: 'fr' } });
    await request(id).set('Accept-Language', 'en').expect(200);
    await done();
    expect(mail.received[0]?.subject).toBe('Réinitialiser votre mot de passe');
  });
});

test('§5 requests for links are limited by address', async () => {
  await using other = await startServer({
    SMTP_URL: mail.url,
    PUBLIC_URL: publicUrl,
    LOGIN_FAILURES: '1',
  });
  const ask = () => other.anonymous.post('/password/forgotten').type('form').send({ name: 'nobody' });
  for (let count = 0; count < 10; count += 1) await ask().expect(200);
  const { headers, text } = await ask().expect(429);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(text).toContain('Too many attempts');
});

test.each([
  ['SMTP_URL', { PUBLIC_URL: publicUrl }],
  ['PUBLIC_URL', { SMTP_URL: 'smtp://127.0.0.1:1' }],
])('§5 without %s no links are mailed, and the page says why', async (_, settings) => {
  await using other = await startServer(settings);
  const { body } = await other.anonymous.get('/password/forgotten').expect(404);
  expect(body.message).toContain('SMTP_URL or PUBLIC_URL is not set');
  await other.anonymous.post('/password/forgotten').type('form').send({ name: 'ann' }).expect(404);
});

describe('§4.3 the rules for passwords (PASSWORD_MIN_LENGTH)', () => {
  const create = (username: string, chosen: string, email?: string) =>
    server.request
      .post('/quire/api/v1/user')
      .send({ 'entity-type': 'user', id: username, properties: { username, password: chosen, email } });

  test('apply to passwords that administrators set', async () => {
    const short = await create('kim', 'secret').expect(400);
    expect(short.body.message).toBe('password: The password must have at least 8 characters.');
    await create('kimberley', 'xxKIMBERLEYxx').expect(400);
    await create('kim', 'm.kimberley-9!', 'm.kimberley@example.org').expect(400);
    await create('kim', 'a password of kim').expect(201);
    const change = { 'entity-type': 'user', id: 'kim', properties: { password: 'iloveyou' } };
    const common = await server.request.put('/quire/api/v1/user/kim').send(change).expect(400);
    expect(common.body.message).toContain('most common');
  });

  test('apply to passwords that users change, and not to those they have', async () => {
    const id = await person('lea');
    const change = (newPassword: string) =>
      server.anonymous
        .put('/quire/api/v1/me/changepassword')
        .auth(id, password)
        .send({ 'entity-type': 'user', oldPassword: password, newPassword });
    await change('').expect(400);
    expect((await change('12345678').expect(400)).body.message).toMatch(/^newPassword: /);
    await change('a long password').expect(200);
    expect(await status(id, 'a long password')).toBe(200);
  });

  test('are off by default on a server that only this computer reaches', async () => {
    await using local = await startServer({});
    const user = { 'entity-type': 'user', id: 'kim', properties: { username: 'kim', password: 'kim' } };
    await local.request.post('/api/v1/user').send(user).expect(201);
  });
});
