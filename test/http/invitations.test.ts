import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { mailsOf } from '../support/mails.ts';
import { askGraphql, call } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { as, createUser, useUser } from '../support/users.ts';

const server = useServer();
const power = useUser(server, 'power', ['powerusers']);
const bob = useUser(server, 'bob');

const entity = (username: string, properties: Record<string, unknown> = {}) => ({
  'entity-type': 'user',
  id: '',
  properties: { username, email: `${username}@example.org`, firstName: 'Jane', ...properties },
});

async function invite(username: string, properties = {}, request = server.request, params = {}) {
  const answer = await call(request, 'User.Invite', { input: entity(username, properties), params });
  const [mail] = await mailsOf(server);
  const link = /^http\S+$/m.exec(mail?.text ?? '')?.[0] ?? '';
  const url = new URL(link || 'http://none.invalid');
  return { answer, mail, link: url.pathname + url.search, token: url.searchParams.get('token') ?? '' };
}

const choose = (token: string, password: string, again = password) =>
  server.anonymous
    .post('/site/userInvitation/validate')
    .type('form')
    .send({ token, Password: password, PasswordConfirmation: again });

const logIn = async (username: string, password: string) =>
  (await supertest(server.http).get('/api/v1/me').auth(username, password)).status;

describe('User.Invite', () => {
  test('mails a page on which the user sets a password, once', async () => {
    const { answer, mail, link, token } = await invite('jane', { groups: ['members'] });
    expect(answer.body).toEqual({ 'entity-type': 'string', value: expect.any(String) });
    expect(mail).toMatchObject({ to: ['jane@example.org'], subject: 'Your invitation', status: 'kept' });
    expect(mail?.text).toContain('Administrator has invited you. Your username is jane.');
    await server.request.get('/api/v1/user/jane').expect(200);
    expect(await logIn('jane', '')).toBe(401);

    const page = await server.anonymous.get(link).expect(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(page.text).toContain('<strong>jane</strong>');
    expect(page.text).not.toMatch(/<script|\son\w+=/i);
    await server.anonymous.get(link).expect(200); // reading uses nothing up

    const done = await choose(token, 'a new password').expect(200);
    expect(done.text).toContain('Your password has been saved');
    expect(await logIn('jane', 'a new password')).toBe(200);
    const { body } = await server.request.get('/api/v1/user/jane');
    expect(body.extendedGroups).toMatchObject([{ name: 'members' }]);

    await server.anonymous.get(link).expect(404);
    await choose(token, 'another one').expect(404);
    expect(await logIn('jane', 'a new password')).toBe(200);
  });

  test('a password that waits to be hashed holds no connection', async () => {
    const { token } = await invite('patient');
    let isDone = false;
    let held = 0;
    const idle = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction' AND query LIKE '%FROM invitation%'`;
    const watching = (async () => {
      while (!isDone) {
        const [row] = await server.database.query<{ n: number }>({ name: '', text: idle }, []);
        held += row?.n ?? 0;
      }
    })();
    const others = Array.from({ length: 12 }, (_, nth) => logIn(`nobody-${nth}`, 'wrong'));
    await Promise.all([choose(token, 'hashed later').expect(200), ...others]).finally(() => {
      isDone = true;
    });
    await watching;
    expect(held).toBe(0);
    expect(await logIn('patient', 'hashed later')).toBe(200);
  });

  test('an unknown invitation costs no hash', async () => {
    const hashes = async () => {
      const { text } = await server.request.get('/metrics').expect(200);
      return /^password_hashes_total (\d+)$/m.exec(text)?.[1];
    };
    const before = await hashes();
    await choose('unknown', 'a password').expect(404);
    expect(await hashes()).toBe(before);
  });

  test('the database has the hash of the token alone', async () => {
    const { token } = await invite('kim');
    const rows = await Promise.all([
      server.database.prisma.invitation.findMany(),
      server.database.prisma.mail.findMany(),
    ]);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('the log of requests does not have the token', async () => {
    const { link, token } = await invite('log');
    await server.anonymous.get(link).expect(200);
    expect(JSON.stringify(server.logged)).not.toContain(token);
  });

  test('ends after seven days', async () => {
    const { link, token } = await invite('lea');
    const { expiresAt } = await server.database.prisma.invitation.findUniqueOrThrow({
      where: { userId: 'lea' },
    });
    expect(Math.round((Number(expiresAt) - Date.now()) / 86_400_000)).toBe(7);
    await server.database.prisma.invitation.updateMany({ data: { expiresAt: new Date(Date.now() - 1000) } });
    await server.anonymous.get(link).expect(404);
    await choose(token, 'late').expect(404);
    expect(await logIn('lea', 'late')).toBe(401);
  });

  test('the later of two invitations closes the page of the first', async () => {
    const first = await invite('max');
    const second = await invite('max', { lastName: 'Power' }, power);
    expect(second.answer.status).toBe(200);
    await server.anonymous.get(first.link).expect(404);
    await choose(second.token, 'mine').expect(200);
    const third = await invite('max');
    expect([third.answer.status, third.answer.body.message]).toEqual([409, 'user already exists: max']);
  });

  test('a password that is set otherwise closes the page', async () => {
    const { link } = await invite('ned');
    const body = { 'entity-type': 'user', id: 'ned', properties: { password: 'given' } };
    await server.request.put('/api/v1/user/ned').send(body).expect(200);
    await server.anonymous.get(link).expect(404);
  });

  test('goes with its user', async () => {
    const { link } = await invite('oda');
    await server.request.delete('/api/v1/user/oda').expect(204);
    await server.anonymous.get(link).expect(404);
  });

  test('two answers at once set one password', async () => {
    const { token } = await invite('pat');
    const answers = await Promise.all(['one', 'two'].map((password) => choose(token, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test('is for administrators and power users, who invite no administrators', async () => {
    expect((await invite('q1', {}, bob)).answer.status).toBe(403);
    expect((await invite('q2', { groups: ['administrators'] }, power)).answer.status).toBe(403);
    expect((await invite('q3', {}, power)).answer.status).toBe(200);
    await server.request.get('/api/v1/user/q1').expect(404);
    await server.request.get('/api/v1/user/q2').expect(404);
  });

  test('an existing user cannot be taken over', async () => {
    await createUser(server, 'victim');
    expect((await invite('victim', { email: 'evil@example.org' }, power)).answer.status).toBe(409);
    expect(await as(server, 'victim').get('/api/v1/me')).toMatchObject({ status: 200 });
  });

  test('a comment is quoted, and adds neither header nor line of the server', async () => {
    const { mail } = await invite('rob', {}, server.request, { comment: 'Hello\r\nSubject: x\u0007' });
    expect(mail?.subject).toBe('Your invitation');
    expect(mail?.text).toMatch(/\n> Hello\n> Subject: x\n$/);
  });

  test('speaks French where it is asked for', async () => {
    const body = { input: entity('sue') };
    await server.request
      .post('/api/v1/automation/User.Invite')
      .set('Accept-Language', 'fr')
      .send({ ...body, params: {} })
      .expect(200);
    const [mail] = await mailsOf(server);
    expect(mail?.subject).toBe('Votre invitation');
    const link = new URL(/^http\S+$/m.exec(mail?.text ?? '')?.[0] ?? '');
    const page = await server.anonymous.get(link.pathname + link.search).set('Accept-Language', 'fr');
    expect(page.text).toContain('<html lang="fr">');
    expect(page.text).toContain('Bienvenue');
  });

  test('is a mutation of GraphQL', async () => {
    const query = 'mutation ($user: UserInput!) { userInvite(input: {user: $user}) { value { value } } }';
    const user = { properties: entity('tim').properties };
    const { userInvite } = await askGraphql<{ userInvite: unknown }>(server.request, query, { user });
    expect(userInvite).toEqual({ value: { value: expect.any(String) } });
  });
});

describe('the page of an invitation', () => {
  test('comes again with what is wrong, and the invitation stays', async () => {
    const { token } = await invite('uma');
    const differ = await choose(token, 'one', 'two').expect(400);
    expect(differ.text).toContain('The passwords do not match.');
    const empty = await choose(token, '').expect(400);
    expect(empty.text).toContain('Enter a password.');
    await choose(token, 'one').expect(200);
  });

  test('escapes the name of the user', async () => {
    const { link } = await invite('<b>x', { email: 'x@example.org' });
    expect((await server.anonymous.get(link)).text).toContain('<strong>&lt;b&gt;x</strong>');
  });

  test.each(['', '?token=', '?token=nosuch', '?token=a&token=b', '?token=%00'])(
    '%j is 404',
    async (query) => {
      await server.anonymous.get(`/site/userInvitation/enterpassword${query}`).expect(404);
    },
  );

  test('refuses forms of other sites, other methods and forms without a token', async () => {
    const { token } = await invite('vic');
    await choose(token, 'one').set('Origin', 'https://evil.example').expect(403);
    await server.anonymous.get('/site/userInvitation/validate').expect(405);
    await server.anonymous.post('/site/userInvitation/enterpassword').expect(405);
    await server.anonymous.post('/site/userInvitation/validate').expect(404);
    await choose('nosuch', 'one').expect(404);
  });
});
