/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { redirect, register } from '../oauth2/flow.ts';
import {
  askAs,
  cookieIn,
  enterPassword,
  forgetSteps,
  totpCode,
  turnOnSecondFactor,
} from '../support/second-factor.ts';
import { startServer, useServer } from '../support/server.ts';
import { createUser, password } from '../support/users.ts';

const server = useServer({ LOGIN_FAILURES: '1000' });

const enterCode = (cookie: string, code: string, from = server) =>
  from.anonymous.post('/login/code').set('Cookie', cookie).send({ code });

const me = (cookie: string) => server.anonymous.get('/api/v1/me').set('Cookie', cookie);
const basic = (username: string, secret: string) => server.anonymous.get('/api/v1/me').auth(username, secret);

/** An administrator, who can send GraphQL, with a second factor. */
async function protectedUser(id: string) {
  await createUser(server, id, ['administrators']);
  return turnOnSecondFactor(server, id);
}

/** The whole sign-in. @returns the session cookie */
async function signIn(id: string, code: string): Promise<string> {
  const { cookie } = await enterPassword(server, id);
  return cookieIn((await enterCode(cookie, code).expect(204)).headers);
}

describe('§5 a second factor', () => {
  test('is asked for after the password, which alone begins no session', async () => {
    const { secret, codes } = await protectedUser('ann');
    expect(codes).toHaveLength(10);
    const { status, body, cookie } = await enterPassword(server, 'ann');
    expect([status, body]).toEqual([200, { secondFactor: 'code' }]);
    expect(cookie).toMatch(/^quire-second-step=[\w-]+$/);
    await me(cookie).expect(401);
    await me(cookie.replace('quire-second-step', 'quire-session')).expect(401);

    const { headers } = await enterCode(cookie, totpCode(secret)).expect(204);
    await me(cookieIn(headers)).expect(200);
    expect(String(headers['set-cookie'])).toContain('quire-second-step=;');
    await server.journal.flush();
    const logged = await server.database.prisma.logEntry.findMany({
      where: { principalName: 'ann', eventId: 'loginSuccess' },
      orderBy: { id: 'asc' },
    });
    expect(logged.map(({ extended }) => (extended as { method: string }).method)).toEqual([
      'form',
      'form with code',
    ]);
  });

  test('is not asked for after a wrong password', async () => {
    await protectedUser('wrong-password');
    const { status, cookie } = await enterPassword(server, 'wrong-password', 'wrong');
    expect([status, cookie]).toEqual([401, '']);
    expect((await enterPassword(server, 'wrong-password', '')).status).toBe(401);
  });

  test('accepts each code once, also from two requests at the same time', async () => {
    const { secret } = await protectedUser('ben');
    const code = totpCode(secret);
    const { cookie } = await enterPassword(server, 'ben');
    const both = await Promise.all([enterCode(cookie, code), enterCode(cookie, code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    expect((await enterCode(cookie, code)).status).toBe(401);
  });

  test('accepts no earlier step after a later one', async () => {
    const { secret } = await protectedUser('cem');
    const { cookie } = await enterPassword(server, 'cem');
    await enterCode(cookie, totpCode(secret, 1)).expect(204);
    await enterCode(cookie, totpCode(secret)).expect(401);
    await enterCode(cookie, totpCode(secret, -1)).expect(401);
  });

  test.each([
    [-1, 204],
    [1, 204],
    [-3, 401],
    [3, 401],
  ])('accepts a clock that differs by %i steps with status %i', async (steps, status) => {
    const { secret } = await protectedUser(`clock${steps}`);
    const { cookie } = await enterPassword(server, `clock${steps}`);
    await enterCode(cookie, totpCode(secret, steps)).expect(status);
  });

  test('accepts each recovery code once, in any case and without hyphens', async () => {
    const { codes } = await protectedUser('dan');
    const [first = '', second = ''] = codes;
    expect(first).toMatch(/^(?:[a-z2-90]{4}-){3}[a-z2-90]{4}$/);
    await me(await signIn('dan', first)).expect(200);
    const { cookie } = await enterPassword(server, 'dan');
    await enterCode(cookie, first).expect(401);
    await enterCode(cookie, second.replaceAll('-', '').toUpperCase()).expect(204);
    const rows = await server.database.prisma.recoveryCode.findMany({ where: { userId: 'dan' } });
    expect(rows).toHaveLength(8);
    expect(JSON.stringify(rows)).not.toContain(codes[2]?.replaceAll('-', ''));
  });

  test.each(['', ' ', '000', 'abcdefgh', '12345678901234567890', "' OR 1=1", 'a\u0000b'])(
    'refuses the code %j',
    async (code) => {
      const id = 'odd-codes';
      if (!(await server.database.prisma.user.findUnique({ where: { id } }))) await protectedUser(id);
      const { cookie } = await enterPassword(server, id);
      expect([400, 401]).toContain((await enterCode(cookie, code)).status);
    },
  );

  test('cannot be guessed: wrong codes count as failed log-ins', async () => {
    await using strict = await startServer({ LOGIN_FAILURES: '3' });
    await createUser(strict, 'eve', ['administrators']);
    const { secret } = await turnOnSecondFactor(strict, 'eve');
    const { cookie } = await enterPassword(strict, 'eve');
    const wrong = totpCode(secret, 100);
    for (let count = 0; count < 3; count += 1) await enterCode(cookie, wrong, strict).expect(401);
    const { headers } = await enterCode(cookie, totpCode(secret), strict).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await enterPassword(strict, 'eve')).status).toBe(429);
  });

  test('accepts only recovery codes after 100 wrong codes from any number of addresses', async () => {
    const { secret, codes } = await protectedUser('fay');
    const { cookie } = await enterPassword(server, 'fay');
    await server.database.prisma.secondFactor.update({
      where: { userId: 'fay' },
      data: { wrongCodes: 100 },
    });
    const { body } = await enterCode(cookie, totpCode(secret)).expect(401);
    expect(body.message).toContain('recovery code');
    await enterCode(cookie, codes[0] ?? '').expect(204);
    await forgetSteps(server, 'fay');
    await me(await signIn('fay', totpCode(secret))).expect(200);
  });

  test('ends the sessions that were begun without it, and those from before it is turned off', async () => {
    await createUser(server, 'gil', ['administrators']);
    const { cookie: before } = await enterPassword(server, 'gil');
    await me(before).expect(200);
    const { secret } = await turnOnSecondFactor(server, 'gil');
    await me(before).expect(401);
    const session = await signIn('gil', totpCode(secret));
    await forgetSteps(server, 'gil');
    const off = `mutation ($password: String!, $code: String!) { disableSecondFactor(password: $password, code: $code) }`;
    const noPassword = await askAs(server, session, off, { password: 'wrong', code: totpCode(secret) });
    expect(noPassword.body.errors[0].message).toContain('password');
    const noCode = await askAs(server, session, off, { password, code: '000000' });
    expect(noCode.body.errors[0].message).toContain('code');
    expect((await askAs(server, session, off, { password, code: totpCode(secret) })).body.data).toEqual({
      disableSecondFactor: true,
    });
    await me(session).expect(401);
    expect((await enterPassword(server, 'gil')).status).toBe(204);
  });

  test('is not turned on with a wrong code, another user’s ticket, or twice', async () => {
    for (const id of ['hal', 'ida']) await createUser(server, id, ['administrators']);
    const [{ cookie }, other] = [await enterPassword(server, 'hal'), await enterPassword(server, 'ida')];
    const prepare = async (session: string) =>
      (await askAs(server, session, 'mutation { prepareSecondFactor { secret uri ticket } }')).body.data
        .prepareSecondFactor as { secret: string; uri: string; ticket: string };
    const [own, foreign] = [await prepare(cookie), await prepare(other.cookie)];
    expect(own.uri).toMatch(/^otpauth:\/\/totp\/Quire:hal\?issuer=Quire&secret=[A-Z2-7]{32}&/);
    const on = (ticket: string, code: string, secret = password) =>
      askAs(
        server,
        cookie,
        `mutation ($ticket: String!, $code: String!, $password: String!) {
          enableSecondFactor(ticket: $ticket, code: $code, password: $password) }`,
        { ticket, code, password: secret },
      );
    const faultOf = async (answer: ReturnType<typeof on>) => (await answer).body.errors?.[0].message;
    expect(await faultOf(on(own.ticket, totpCode(own.secret, 100)))).toContain('The code is wrong');
    expect(await faultOf(on(foreign.ticket, totpCode(foreign.secret)))).toContain('has expired');
    expect(await faultOf(on(own.ticket, totpCode(own.secret), 'wrong'))).toContain('password');
    expect((await on(own.ticket, totpCode(own.secret))).body.data.enableSecondFactor).toHaveLength(10);
    await me(cookie).expect(401);
    // The code that turned it on is used up.
    const { cookie: step } = await enterPassword(server, 'hal');
    await enterCode(step, totpCode(own.secret)).expect(401);
  });

  test('gets new recovery codes for the password and a code, and the old ones end', async () => {
    const { secret, codes } = await protectedUser('ivo');
    const session = await signIn('ivo', codes[0] ?? '');
    const renew = (proof: object) =>
      askAs(
        server,
        session,
        'mutation ($password: String!, $code: String!) { renewRecoveryCodes(password: $password, code: $code) }',
        { password, code: totpCode(secret), ...proof },
      );
    const faultOf = async (proof: object) => (await renew(proof)).body.errors?.[0].message;
    expect(await faultOf({ password: 'wrong' })).toContain('password');
    expect(await faultOf({ code: '000000' })).toContain('code');
    const { body } = await renew({});
    const renewed: string[] = body.data.renewRecoveryCodes;
    expect(renewed).toHaveLength(10);
    expect(renewed.filter((code) => codes.includes(code))).toEqual([]);
    expect(await faultOf({})).toContain('has already been used');
    await me(session).expect(200);
    const { cookie } = await enterPassword(server, 'ivo');
    await enterCode(cookie, codes[1] ?? '').expect(401);
    await enterCode(cookie, renewed[0] ?? '').expect(204);
    const where = { eventId: 'user_modified', principalName: 'ivo' };
    const logged = await server.database.prisma.logEntry.findMany({ where });
    expect(logged.map(({ extended }) => extended)).toContainEqual({ id: 'ivo', created: 'recovery codes' });
  });

  test('is removed by administrators only, for users who have lost it', async () => {
    await protectedUser('jan');
    const remove = { query: 'mutation { removeSecondFactor(username: "jan") }' };
    const { body } = await server.request.post('/graphql').send(remove);
    expect(body.data).toEqual({ removeSecondFactor: 'jan' });
    expect((await enterPassword(server, 'jan')).status).toBe(204);
    const again = await server.request.post('/graphql').send(remove);
    expect(again.body.errors[0].message).toBe('jan has no second factor.');
  });

  test('does not outlive the step in which the password was right', async () => {
    const { secret } = await protectedUser('kai');
    const { cookie } = await enterPassword(server, 'kai');
    await server.request.delete('/api/v1/user/kai/credentials').expect(204);
    await enterCode(cookie, totpCode(secret)).expect(400);
    await server.anonymous
      .post('/login/code')
      .send({ code: totpCode(secret) })
      .expect(400);
    await server.anonymous.post('/login/setup').set('Cookie', cookie).send({}).expect(400);
    await server.anonymous
      .post('/login/code')
      .set('Origin', 'https://elsewhere.example')
      .send({})
      .expect(403);
    await server.anonymous.get('/login/code').expect(405);
  });

  test('keeps its secret encrypted', async () => {
    const { secret } = await protectedUser('lea');
    const rows = await server.database.prisma.$queryRaw`SELECT * FROM second_factor`;
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('§5 Basic for an account with a second factor', () => {
  test('refuses the password and says what to use; an app password is accepted, as long as it exists', async () => {
    const id = 'mia';
    const { secret } = await protectedUser(id);
    const refused = await basic(id, password).expect(401);
    expect(refused.body.message).toContain('app password');
    expect((await basic(id, 'wrong').expect(401)).body.message).not.toContain('app password');
    await server.anonymous.get('/authentication/token').auth(id, password).expect(401);

    const session = await signIn(id, totpCode(secret));
    const { text: token } = await server.anonymous
      .post('/api/v1/token?application=Phone')
      .set('Cookie', session)
      .expect(201);
    expect((await basic(id, token).expect(200)).body.id).toBe(id);
    await basic('Administrator', token).expect(401);
    await server.anonymous.post('/api/v1/token?application=Other').auth(id, token).expect(403);
    const { body } = await server.anonymous.get('/api/v1/token').auth(id, token).expect(200);
    await server.anonymous.delete(`/api/v1/token/${body.entries[0].id}`).auth(id, token).expect(204);
    await basic(id, token).expect(401);
  });

  test('does not accept app passwords if AUTH_CHAIN lacks `token`', async () => {
    await using other = await startServer({ AUTH_CHAIN: 'basic,token' });
    await createUser(other, 'ned');
    const { text: token } = await other.anonymous
      .post('/api/v1/token?application=Phone')
      .auth('ned', password)
      .expect(201);
    await other.anonymous.get('/api/v1/me').auth('ned', token).expect(200);
    await using without = await startServer({ AUTH_CHAIN: 'basic' });
    await createUser(without, 'ned');
    await without.anonymous.get('/api/v1/me').auth('ned', token).expect(401);
  });
});

describe('§5 the sign-in page of OAuth 2.0', () => {
  const fields = { response_type: 'code', client_id: 'app', redirect_uri: redirect };
  const post = (path: string, more: object, cookie = '') =>
    server.anonymous
      .post(`/oauth2/${path}`)
      .set('Cookie', cookie)
      .type('form')
      .send({ ...fields, ...more });

  test('asks for the code as well', async () => {
    await register(server);
    const id = 'oda';
    const { secret } = await protectedUser(id);
    const page = await post('log_in', { username: id, password }).expect(200);
    expect(page.text).toContain('Enter the code');
    const cookie = cookieIn(page.headers);
    const consent = (session: string) =>
      server.anonymous.get('/oauth2/authorize').query(fields).set('Cookie', session).expect(200);
    expect((await consent(cookie)).text).toContain('<h1>Sign in</h1>');

    const wrong = await post('log_in_code', { code: '000000' }, cookie).expect(401);
    expect(wrong.text).toContain('The code is wrong');
    const right = await post('log_in_code', { code: totpCode(secret) }, cookie).expect(303);
    expect((await consent(cookieIn(right.headers))).text).toContain('wants to access');
    expect((await post('log_in_code', { code: '1' }).expect(400)).text).toContain('has expired');
    await server.anonymous
      .post('/oauth2/authorize_submit')
      .auth(id, password)
      .type('form')
      .send({ ...fields, grant_access: '1' })
      .expect(401);
  });
});

describe('§5 a second factor that a group needs (SECOND_FACTOR_GROUPS)', () => {
  test('is set up at the sign-in, before which the password gives access to nothing', async () => {
    await using other = await startServer({ SECOND_FACTOR_GROUPS: 'finance,administrators' });
    const { anonymous: at, database } = other;
    await database.prisma.group.create({ data: { id: 'finance' } });
    await createUser(other, 'pia', ['finance']);
    await createUser(other, 'free', ['members']);
    await at.get('/api/v1/me').auth('free', password).expect(200);
    const refused = await at.get('/api/v1/me').auth('pia', password).expect(401);
    expect(refused.body.message).toContain('needs a second factor');
    await other.request.get('/api/v1/me').expect(401); // ADMIN_USERNAME counts as an administrator

    const { status, body, cookie } = await enterPassword(other, 'pia');
    expect([status, body]).toEqual([200, { secondFactor: 'setup' }]);
    await at.get('/api/v1/me').set('Cookie', cookie).expect(401);
    await at.post('/login/code').set('Cookie', cookie).send({ code: '000000' }).expect(400);
    const set = (send: object) => at.post('/login/setup').set('Cookie', cookie).send(send);
    const { body: setup } = await set({}).expect(200);
    const wrong = { ticket: setup.ticket, code: totpCode(setup.secret, 100) };
    await set(wrong).expect(400);
    const done = await set({ ...wrong, code: totpCode(setup.secret) }).expect(200);
    expect(done.body.recoveryCodes).toHaveLength(10);
    await at.get('/api/v1/me').set('Cookie', cookieIn(done.headers)).expect(200);
    expect((await enterPassword(other, 'pia')).body).toEqual({ secondFactor: 'code' });
    await set({}).expect(400);
  });

  test('ends the session of a user who joins the group', async () => {
    await using other = await startServer({ SECOND_FACTOR_GROUPS: 'finance' });
    await other.database.prisma.group.create({ data: { id: 'finance' } });
    await createUser(other, 'quin');
    const { cookie } = await enterPassword(other, 'quin');
    const get = () => other.anonymous.get('/api/v1/me').set('Cookie', cookie);
    await get().expect(200);
    await other.request.post('/api/v1/user/quin/group/finance').expect(201);
    await get().expect(401);
  });
});
