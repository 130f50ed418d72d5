/** @group slow */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, exportSPKI, generateKeyPair, type JWTPayload } from 'jose';
import supertest from 'supertest';
import { startBeside } from '../support/beside.ts';
import { startLyingProvider } from '../support/lying-provider.ts';
import {
  audience,
  clientId,
  identityFile,
  opaqueAudience,
  startOidcProvider,
  WebVisitor,
} from '../support/oidc-provider.ts';
import { exception } from '../support/requests.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { addPerson, type SsoPlace, signInAt, startSsoPlace, userRules, whoIs } from '../support/sso-place.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { as, createUser, password } from '../support/users.ts';

const place = use(() => startSsoPlace());

const person = (name: string, claims: object = {}, at: Pick<SsoPlace, 'provider'> = place): string =>
  addPerson(name, claims, at);

const me = (visitor: WebVisitor, at: Pick<SsoPlace, 'origin'> = place) => whoIs(visitor, at);

/** Signs in with a new browser. */
const signIn = (login: string, at: Pick<SsoPlace, 'origin'> = place, visitor = new WebVisitor()) =>
  signInAt(at, login, visitor);

/** Signs in at the provider, and stops before the browser returns to the server. @returns the address it would open */
async function callbackOf(
  login: string,
  visitor: WebVisitor,
  at: SsoPlace = place,
  start = `${at.origin}/sso/example`,
) {
  const { address } = await visitor.signIn(start, login, (url) => url.startsWith(`${at.origin}/sso/`));
  return new URL(address);
}

const openAddress = async (visitor: WebVisitor, url: URL | string) => {
  const response = await visitor.fetch(String(url));
  return { status: response.status, text: await response.text() };
};

const bearer = (token: string, { server }: Pick<SsoPlace, 'server'> = place) =>
  supertest(server.http).get('/api/v1/me').set('Authorization', `Bearer ${token}`);

const now = () => Math.floor(Date.now() / 1000);

/** The payload of a valid access token. */
const payload = (subject: string, more: JWTPayload = {}): JWTPayload => ({
  iss: place.provider.issuer,
  sub: subject,
  aud: audience,
  iat: now(),
  exp: now() + 60,
  client_id: 'other',
  ...more,
});

describe('Signing in', () => {
  test('creates the user at the first time, with the properties and groups of the rules', async () => {
    const { visitor, status, text } = await signIn(person('jane', { given_name: 'Jane' }));
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('content="0;url=/"') });
    expect(await me(visitor)).toMatchObject({
      status: 200,
      body: { id: 'jane', properties: { firstName: 'Jane', email: 'jane@example.org', groups: ['members'] } },
    });
  });

  test('applies the rules again each time, and leaves other groups alone', async () => {
    const subject = person('moved');
    await signIn(subject);
    await place.server.request.post('/api/v1/user/moved/group/powerusers').expect(201);
    person('moved', { given_name: undefined, email: 'new@example.org', groups: ['sales'] });
    const { visitor } = await signIn(subject);
    expect((await me(visitor)).body.properties).toMatchObject({
      firstName: null,
      email: 'new@example.org',
      groups: ['powerusers'],
    });
  });

  test('writes the sign-in to the log with the name of the provider', async () => {
    await signIn(person('logged'));
    await place.server.journal.flush();
    const where = { principalName: 'logged', eventId: 'loginSuccess' };
    expect(await place.server.database.prisma.logEntry.findFirst({ where })).toMatchObject({
      extended: { method: 'example' },
    });
  });

  test('lists the providers for sign-in pages', async () => {
    const { body } = await place.server.anonymous.get('/sso').expect(200);
    expect(body).toEqual({
      passwords: true,
      providers: [{ name: 'example', label: 'Example', address: '/sso/example' }],
    });
    await place.server.anonymous.get('/sso/other').expect(404);
    await place.server.anonymous.post('/sso/example').expect(405);
  });

  test('sends PKCE, state and nonce to the provider, and keeps their secrets in a sealed cookie', async () => {
    const response = await new WebVisitor().fetch(`${place.origin}/sso/example`);
    const url = new URL(response.headers.get('location') ?? '');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${place.origin}/sso/example/callback`,
    });
    const cookie = response.headers.getSetCookie().join();
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/);
    expect(cookie).not.toContain(url.searchParams.get('nonce'));
  });

  test('shows why the provider did not sign the user in, as text', async () => {
    const { status, text } = await signIn('<b>nobody</b>');
    expect({ status, text }).toEqual({
      status: 403,
      text: expect.stringContaining('Example did not sign you in: There is no such user.'),
    });
  });

  test('a password of the session cookie is not accepted if AUTH_CHAIN lacks basic', async () => {
    await using other = await startSsoPlace({}, { AUTH_CHAIN: 'oidc' });
    await createUser(other.server, 'bob');
    await as(other.server, 'bob').get('/api/v1/me').expect(401);
    const { visitor } = await signIn(person('only', {}, other), other);
    expect(await me(visitor, other)).toMatchObject({ status: 200, body: { id: 'only' } });
  });
});

describe('The account of an identity', () => {
  test('is never chosen by name or email address: a taken name is refused', async () => {
    for (const [name, taken] of [
      ['victim', 'victim'],
      ['shouted', 'SHOUTED'],
      ['members', 'members'],
    ] as const) {
      const properties = { username: taken, email: `${name}@example.org` };
      if (name !== 'members')
        await place.server.request
          .post('/api/v1/user')
          .send({ 'entity-type': 'user', properties })
          .expect(201);
      const { status, text, visitor } = await signIn(person(name, { sub: 'ignored' }));
      expect({ status, text }).toEqual({
        status: 409,
        text: expect.stringContaining(`The user name ${name} is taken by`),
      });
      expect((await me(visitor)).status).toBe(401);
    }
    const admin = await signIn(person('Administrator', { email: 'victim@example.org' }));
    expect(admin.status).toBe(409);
    expect(await place.server.database.prisma.identity.count({ where: { userId: 'victim' } })).toBe(0);
  });

  test('is not created again after it was deleted', async () => {
    const subject = person('leaver');
    const { visitor } = await signIn(subject);
    await place.server.request.delete('/api/v1/user/leaver').expect(204);
    expect((await me(visitor)).status).toBe(401);
    const { status, text } = await signIn(subject);
    expect({ status, text }).toEqual({ status: 409, text: expect.stringContaining('That user was deleted') });
  });

  test('is not created without the setting', async () => {
    await using other = await startSsoPlace({ users: { ...userRules, create: false } });
    const { status, text } = await signIn(person('new', {}, other), other);
    expect({ status, text }).toEqual({
      status: 403,
      text: expect.stringContaining('Ask an administrator to link it'),
    });
  });

  test('follows the subject when its claims change, and another subject with the same claims is refused', async () => {
    const subject = person('renamed');
    await signIn(subject);
    person('renamed', { preferred_username: 'someone-else' });
    expect((await me((await signIn(subject)).visitor)).body.id).toBe('renamed');
    place.provider.users.set('sub-thief', {
      ...place.provider.users.get(subject),
      preferred_username: 'renamed',
    });
    expect((await signIn('sub-thief')).status).toBe(409);
  });

  test('gets no email address that is not verified', async () => {
    for (const verified of [false, undefined]) {
      const name = `unverified-${verified}`;
      const { visitor } = await signIn(person(name, { email_verified: verified }));
      expect((await me(visitor)).body.properties).toMatchObject({ email: null, firstName: 'Given' });
    }
  });

  test('is not named by an email address that is not verified', async () => {
    await using other = await startSsoPlace({ users: { ...userRules, id: 'email' } });
    const refused = await signIn(person('fake', { email_verified: false }, other), other);
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('claim &quot;email&quot;') });
    const { visitor } = await signIn(person('real', {}, other), other);
    expect((await me(visitor, other)).body.id).toBe('real@example.org');
  });

  test('is created once by two sign-ins at the same time', async () => {
    const subject = person('twice');
    const visitors = [new WebVisitor(), new WebVisitor()];
    const addresses = await Promise.all(visitors.map((visitor) => callbackOf(subject, visitor)));
    const answers = await Promise.all(
      visitors.map((visitor, nth) => openAddress(visitor, addresses[nth] ?? '')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('keeps what comes from the provider from being changed elsewhere', async () => {
    await signIn(person('foreign'));
    const change = (properties: object) =>
      place.server.request
        .put('/api/v1/user/foreign')
        .send({ 'entity-type': 'user', id: 'foreign', properties });
    const { body } = await change({ firstName: 'Other' }).expect(403);
    expect(body.message).toBe(
      'firstName: the value for foreign comes from Example and cannot be changed here.',
    );
    await change({ firstName: 'Given', company: 'Own' }).expect(200);
    await change({ groups: [] }).expect(403);
    const left = await place.server.request.delete('/api/v1/user/foreign/group/members').expect(403);
    expect(left.body.message).toContain('The membership of foreign in members comes from Example');
    await place.server.request.post('/api/v1/user/foreign/group/powerusers').expect(201);
    await place.server.request
      .put('/api/v1/group/members')
      .send({ 'entity-type': 'group', memberUsers: [] })
      .expect(403);
  });
});

describe('Attacks on the sign-in', () => {
  test('a response in another browser, a second time or without a state is refused', async () => {
    const visitor = new WebVisitor();
    const url = await callbackOf(person('replay'), visitor);
    expect((await openAddress(new WebVisitor(), url)).status).toBe(401);
    expect((await openAddress(visitor, url)).status).toBe(200);
    const again = await openAddress(visitor, url);
    expect(again).toMatchObject({
      status: 401,
      text: expect.stringContaining('has expired or was started in another'),
    });
    url.searchParams.delete('state');
    expect((await openAddress(visitor, url)).status).toBe(401);
  });

  test('a code that is sent again with a stolen cookie is refused by the provider', async () => {
    const visitor = new WebVisitor();
    const url = await callbackOf(person('code'), visitor);
    const jar = new Map(visitor.cookies.get('127.0.0.1'));
    expect((await openAddress(visitor, url)).status).toBe(200);
    const thief = new WebVisitor();
    thief.cookies.set('127.0.0.1', jar);
    expect((await openAddress(thief, url)).status).toBe(401);
    expect((await me(thief)).status).toBe(401);
  });

  test("another browser's code does not fit: PKCE and nonce bind it to the one that began", async () => {
    const attacker = new WebVisitor();
    const victim = new WebVisitor();
    const foreign = await callbackOf(person('attacker'), attacker);
    const own = await callbackOf(person('target'), victim);
    own.searchParams.set('code', foreign.searchParams.get('code') ?? '');
    expect((await openAddress(victim, own)).status).toBe(401);
    expect((await me(victim)).status).toBe(401);
  });

  test('a response that names another issuer, or none, is a mix-up', async () => {
    for (const issuer of ['https://evil.example.org', undefined]) {
      const visitor = new WebVisitor();
      const url = await callbackOf(person('mixed'), visitor);
      expect(url.searchParams.get('iss')).toBe(place.provider.issuer);
      if (issuer === undefined) url.searchParams.delete('iss');
      else url.searchParams.set('iss', issuer);
      expect((await openAddress(visitor, url)).status).toBe(401);
    }
  });

  test('a response for one provider is not accepted by another', async () => {
    await using second = await startOidcProvider();
    const file = identityFile({
      example: place.provider.settings({ users: userRules }),
      second: second.settings({ users: userRules }),
    });
    await using server = await startServer(file);
    const origin = `http://127.0.0.1:${await server.listen()}`;
    await place.provider.allow(origin);
    const visitor = new WebVisitor();
    const { address } = await visitor.signIn(`${origin}/sso/example`, person('between'), (url) =>
      url.startsWith(`${origin}/sso/`),
    );
    const moved = address.replace('/sso/example/', '/sso/second/');
    expect((await openAddress(visitor, moved)).status).toBe(401);
    expect(second.requested).not.toContain('/token');
  });

  test.each([
    'https://evil.example.org/',
    '//evil.example.org/',
    '/\\evil.example.org',
    'javascript:alert(1)',
    '/..//evil.example.org',
  ])('does not lead to another site: %s', async (target) => {
    const visitor = new WebVisitor();
    const start = `${place.origin}/sso/example?target=${encodeURIComponent(target)}`;
    const url = await callbackOf(person('redirected'), visitor, place, start);
    const { text } = await openAddress(visitor, url);
    const [, found = ''] = /content="0;url=([^"]*)"/.exec(text) ?? [];
    expect(new URL(found, place.origin).origin).toBe(place.origin);
  });

  test('a sign-in waits for a slow provider only for a limited time, and says that it is away', async () => {
    await using other = await startSsoPlace({ timeout: 1 });
    other.provider.intercept = async (path) => path !== '/token';
    const { status, text } = await signIn(person('slow', {}, other), other);
    expect({ status, text }).toEqual({
      status: 503,
      text: expect.stringContaining('Example does not respond.'),
    });
    other.provider.intercept = undefined;
    expect((await signIn(person('slow', {}, other), other)).status).toBe(200);
  });

  test('while the provider is away, local accounts keep working, and it is used again later', async () => {
    await using other = await startSsoPlace({ timeout: 1 });
    other.provider.intercept = async () => false;
    const answer = await other.server.anonymous.get('/sso/example').expect(503);
    expect(answer.headers['retry-after']).toBe('5');
    await other.server.request.get('/api/v1/me').expect(200);
    other.provider.intercept = undefined;
    await until(async () => (await other.server.anonymous.get('/sso/example')).status === 303);
  });
});

describe('The ID token of a sign-in', () => {
  const provider = use(() => startLyingProvider(clientId));
  const server = use(() =>
    startServer(
      identityFile({
        example: { ...place.provider.settings({ users: userRules }), issuer: provider.issuer },
      }),
    ),
  );
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  /** Signs in with an ID token. @returns the status of the page, and that of a request with the session */
  const statusesWith = async (idToken: () => Promise<string>) => {
    provider.answerWith(idToken);
    const visitor = new WebVisitor();
    const origin = `http://127.0.0.1:${await server.listen()}`;
    const { response } = await visitor.open(`${origin}/sso/example`);
    await response.body?.cancel();
    return [response.status, (await whoIs(visitor, { origin })).status];
  };
  const signed = (more: JWTPayload, header = {}) => {
    const entries = Object.entries(provider.payload(more)).filter(([, value]) => value !== undefined);
    return provider.sign(Object.fromEntries(entries), header);
  };

  test('is accepted if it is valid, with clocks that differ by less than half a minute', async () => {
    expect(await statusesWith(() => signed({}))).toEqual([200, 200]);
    expect(await statusesWith(() => signed({ iat: now() + 20, nbf: now() + 20 }))).toEqual([200, 200]);
    expect(await statusesWith(() => signed({ exp: now() - 20 }))).toEqual([200, 200]);
  });

  test.each<[string, JWTPayload]>([
    ['for another client', { aud: 'other' }],
    ['for several clients, but issued to another', { aud: [clientId, 'other'], azp: 'other' }],
    ['of another issuer', { iss: 'https://evil.example.org' }],
    ['of another sign-in', { nonce: 'other' }],
    ['without a nonce', { nonce: undefined as never }],
    ['without a subject', { sub: undefined as never }],
    ['without an end', { exp: undefined as never }],
    ['that has expired', { exp: now() - 120 }],
    ['that is not valid yet', { nbf: now() + 600 }],
  ])('is refused %s', async (_what, claims) => {
    expect(await statusesWith(() => signed(claims))).toEqual([401, 401]);
  });

  test('is refused if it is signed with another key, the client secret, or not at all', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    expect(await statusesWith(() => provider.sign(provider.payload(), {}, privateKey))).toEqual([401, 401]);
    const secret = Buffer.from('a secret of the client');
    const withSecret = () => provider.sign(provider.payload(), { alg: 'HS256' }, secret);
    expect(await statusesWith(withSecret)).toEqual([401, 401]);
    const unsigned = async () => `${part({ alg: 'none' })}.${part(provider.payload())}.`;
    expect(await statusesWith(unsigned)).toEqual([401, 401]);
  });
});

describe("A provider's bearer token", () => {
  const subject = 'sub-bearer';
  beforeAll(() => signIn(person('bearer')));

  test('is accepted by REST and GraphQL, and by a server in which it comes last in AUTH_CHAIN', async () => {
    const token = await place.provider.accessToken(subject);
    const { body } = await bearer(token).expect(200);
    expect(body.id).toBe('bearer');
    await supertest(place.server.http).get(`/api/v1/me?access_token=${token}`).expect(200);
    const answer = await supertest(place.server.http)
      .post('/graphql')
      .set('Authorization', `Bearer ${token}`)
      .send({ query: '{ me { id } }' });
    expect(answer.status).toBe(403); // Only administrators send operations of their own.
  });

  test('creates nobody, and no login token', async () => {
    await bearer(await place.provider.sign(payload('sub-unknown'))).expect(401);
    const { body } = await supertest(place.server.http)
      .post('/api/v1/token?application=a')
      .set('Authorization', `Bearer ${await place.provider.sign(payload(subject))}`)
      .expect(403);
    expect(body.message).toContain('access token of a provider');
  });

  test.each<[string, JWTPayload, object?]>([
    ['for another audience', { aud: 'urn:example:other' }],
    ['without an audience', { aud: undefined as never }],
    ['for the client, like ID tokens', { aud: clientId }],
    ['without an end', { exp: undefined as never }],
    ['without a subject', { sub: undefined as never }],
    ['that has expired', { exp: now() - 120 }],
    ['that is not valid yet', { nbf: now() + 120 }],
    ['with the type of an ID token', {}, { typ: 'JWT' }],
    ['without a type', {}, { typ: undefined }],
    ['of a session at the provider', { nonce: 'n' }],
    ['bound to a key', { cnf: { jkt: 'x' } }],
    ['that names an unknown key', {}, { kid: 'unknown' }],
  ])('is refused %s', async (_what, claims, header = {}) => {
    const entries = Object.entries(payload(subject, claims)).filter(([, value]) => value !== undefined);
    const { body } = await bearer(await place.provider.sign(Object.fromEntries(entries), header)).expect(401);
    expect(body).toMatchObject(exception(401, 'The credentials are not valid.'));
  });

  test('is not the ID token of a sign-in, whichever types are accepted', async () => {
    await using other = await startSsoPlace({ accessTokens: { audience, types: ['at+jwt', 'JWT'] } });
    const { visitor } = await signIn(person('identified', {}, other), other);
    const headers = { accept: 'application/json' };
    const answer = await visitor.fetch(`${other.origin}/logout`, { method: 'POST', headers });
    const { location } = (await answer.json()) as { location: string };
    const idToken = new URL(location).searchParams.get('id_token_hint') ?? '';
    expect(decodeJwt(idToken)).toMatchObject({ sub: 'sub-identified', aud: clientId });
    await bearer(idToken, other).expect(401);
    await bearer(await other.provider.accessToken('sub-identified'), other).expect(200);
  });

  test('may differ from the clock of this server by half a minute', async () => {
    await bearer(await place.provider.sign(payload(subject, { iat: now() + 20, nbf: now() + 20 }))).expect(
      200,
    );
    await bearer(await place.provider.sign(payload(subject, { iat: now() + 60, nbf: now() + 60 }))).expect(
      401,
    );
  });

  test('is refused if it is signed with another key, the client secret, the public key, or not at all', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    await bearer(await place.provider.sign(payload(subject), {}, privateKey)).expect(401);
    const secret = Buffer.from('a secret of the client, made longer for HMAC');
    await bearer(await place.provider.sign(payload(subject), { alg: 'HS256' }, secret)).expect(401);
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const spki = Buffer.from(await exportSPKI(publicKey));
    await bearer(await place.provider.sign(payload(subject), { alg: 'HS256' }, spki)).expect(401);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const alg of ['none', 'None', 'NONE', ''])
      await bearer(`${part({ alg, typ: 'at+jwt' })}.${part(payload(subject))}.`).expect(401);
  });

  test('is not handed to another method: a token of JWT_SECRET that names a provider is refused', async () => {
    await using other = await startSsoPlace({}, { JWT_SECRET: 'a secret of at least thirty-two bytes' });
    const secret = Buffer.from('a secret of at least thirty-two bytes');
    const claims = { sub: 'Administrator', exp: now() + 60 };
    const own = await other.provider.sign(claims, { alg: 'HS256', typ: 'JWT' }, secret);
    await bearer(own, other).expect(200);
    const named = { ...claims, iss: other.provider.issuer };
    await bearer(await other.provider.sign(named, { alg: 'HS256', typ: 'JWT' }, secret), other).expect(401);
  });

  test('of another issuer is not asked from the provider', async () => {
    const before = place.provider.requested.length;
    await bearer(await place.provider.sign(payload(subject, { iss: 'https://evil.example.org' }))).expect(
      401,
    );
    expect(place.provider.requested.length).toBe(before);
  });

  test('follows the keys of the provider, with other algorithms too', async () => {
    await using other = await startSsoPlace();
    await signIn(person('rotating', {}, other), other);
    const token = async () => other.provider.accessToken('sub-rotating');
    await bearer(await token(), other).expect(200);
    for (const alg of ['ES256', 'EdDSA']) {
      await other.provider.rotate(alg);
      const rotated = await token();
      await until(async () => (await bearer(rotated, other)).status === 200);
    }
    await other.provider.rotate('PS256');
    const refused = await token();
    await bearer(refused, other).expect(401);
  });

  test('is answered with 503 while the keys of the provider cannot be read', async () => {
    await using other = await startSsoPlace({ timeout: 1 });
    await signIn(person('away', {}, other), other);
    const token = await other.provider.accessToken('sub-away');
    await using restarted = await startSsoPlace({ timeout: 1, issuer: other.provider.issuer });
    other.provider.intercept = async (path) => path !== '/jwks';
    await bearer(token, restarted).expect(503);
  });

  test('ends with the credentials of the user', async () => {
    await signIn(person('ended'));
    const token = await place.provider.accessToken('sub-ended');
    await bearer(token).expect(200);
    await place.server.request.delete('/api/v1/user/ended/credentials').expect(204);
    await bearer(token).expect(401);
  });

  test('takes no statement more than Basic once it is known', async () => {
    const token = await place.provider.accessToken(subject);
    const [first, second] = [await bearer(token), await bearer(token)];
    expect(first.status).toBe(200);
    const basic = [
      await place.server.request.get('/api/v1/me'),
      await place.server.request.get('/api/v1/me'),
    ];
    const statements = (answer?: { headers: Record<string, string> }) =>
      /desc="(\d+)"/.exec(answer?.headers['server-timing'] ?? '')?.[1];
    expect(statements(second)).toBe(statements(basic[1]));
  });

  test('that is no JWT is accepted where introspection is configured, and tokens of this server still are', async () => {
    await using other = await startSsoPlace({
      accessTokens: { audience: opaqueAudience, introspection: true },
    });
    await signIn(person('opaque', {}, other), other);
    const token = await other.provider.accessToken('sub-opaque', opaqueAudience);
    expect(token.split('.').length).toBe(1);
    expect((await bearer(token, other).expect(200)).body.id).toBe('opaque');
    await bearer('unknown', other).expect(401);
    await bearer(token, place).expect(401);
    other.provider.intercept = async (path) => path !== '/token/introspection';
  });
});

describe('Linking', () => {
  test('takes the password and a sign-in at the provider', async () => {
    await createUser(place.server, 'local');
    const visitor = new WebVisitor();
    const link = (body: object, headers = {}) =>
      visitor.fetch(`${place.origin}/sso/example/link`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    expect((await link({ password })).status).toBe(401);
    const login = await visitor.fetch(`${place.origin}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'local', password }),
    });
    expect(login.status).toBe(204);
    expect((await link({ password: 'wrong' })).status).toBe(401);
    expect((await link({})).status).toBe(400);
    expect((await link({ password }, { origin: 'https://evil.example.org' })).status).toBe(403);
    const started = (await (await link({ password })).json()) as { location: string };
    const { response } = await visitor.signIn(started.location, person('local'));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('content="0;url=/account"');
    expect((await me((await signIn('sub-local')).visitor)).body.id).toBe('local');
  });

  test('is refused for the administrator, who stays local, and for an identity of another user', async () => {
    await createUser(place.server, 'second-owner');
    await signIn(person('first-owner'));
    for (const [username, secret, message] of [
      ['Administrator', 'Administrator', 'Administrator is the administrator of this server'],
      ['second-owner', password, 'is already linked to the user first-owner'],
    ] as const) {
      const visitor = new WebVisitor();
      const response = await visitor.fetch(`${place.origin}/sso/example/link`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
        },
        body: JSON.stringify({ password: secret }),
      });
      const { location } = (await response.json()) as { location: string };
      const last = await visitor.signIn(location, 'sub-first-owner');
      expect(last.response.status).toBe(409);
      expect(await last.response.text()).toContain(message);
    }
  });
});

describe('Linking without a password', () => {
  const link = (visitor: WebVisitor, origin: string, name: string) =>
    visitor.fetch(`${origin}/sso/${name}/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: '{}',
    });

  test('takes a new sign-in at the provider of the session, and one at the other provider', async () => {
    await using second = await startOidcProvider();
    const file = identityFile({
      example: place.provider.settings({ users: userRules }),
      second: second.settings({ users: { create: false }, accessTokens: undefined }),
    });
    await using server = await startServer(file);
    const origin = `http://127.0.0.1:${await server.listen()}`;
    await place.provider.allow(origin);
    await second.allow(origin, 'second');
    second.users.set('other', { name: 'Other' });

    const { visitor } = await signIn(person('mover'), { origin });
    const started = (await (await link(visitor, origin, 'second')).json()) as { location: string };
    expect(new URL(started.location).origin).toBe(place.provider.issuer);
    expect(new URL(started.location).searchParams.get('max_age')).toBe('300');
    // The provider still knows the user, and leads on to the sign-in form of the second one.
    const form = await visitor.open(started.location);
    expect(new URL(form.address).origin).toBe(second.issuer);
    await form.response.body?.cancel();
    const body = new URLSearchParams({ login: 'other' });
    const last = await visitor.open(form.address, undefined, { method: 'POST', body });
    expect(last.response.status).toBe(200);
    const fresh = await new WebVisitor().signIn(`${origin}/sso/second`, 'other');
    expect(await fresh.response.text()).toContain('content="0;url=/"');
    expect(await server.database.prisma.identity.count({ where: { userId: 'mover' } })).toBe(2);
  });

  test('is refused if somebody else signs in, and without a session of a provider', async () => {
    const { visitor } = await signIn(person('careful'));
    const started = (await (await link(visitor, place.origin, 'example')).json()) as { location: string };
    const stranger = new WebVisitor();
    stranger.cookies.set('127.0.0.1', visitor.cookies.get('127.0.0.1') ?? new Map());
    await signIn(person('stranger'));
    const { response } = await stranger.signIn(started.location, 'sub-stranger');
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('is not linked to careful');
    await createUser(place.server, 'plain');
    const { body } = await as(place.server, 'plain').post('/sso/example/link').send({}).expect(400);
    expect(body.message).toContain('password');
  });
});

describe('The test of a provider', () => {
  test('shows administrators the claims and what they map to, and changes nothing', async () => {
    const visitor = new WebVisitor();
    const headers = {
      authorization: `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`,
    };
    const response = await visitor.fetch(`${place.origin}/sso/example/test`, { method: 'POST', headers });
    const { location } = (await response.json()) as { location: string };
    const last = await visitor.signIn(location, person('tested', { given_name: '<i>Tess</i>' }));
    const text = await last.response.text();
    expect(text).toContain('<dt>id of a new user</dt><dd>tested</dd>');
    expect(text).toContain('<dt>firstName</dt><dd>&lt;i&gt;Tess&lt;/i&gt;</dd>');
    expect(text).toContain('<dt>groups</dt><dd>members</dd>');
    expect(text).toContain('<a href="/admin/providers">');
    expect((await me(visitor)).status).toBe(401);
    await place.server.request.get('/api/v1/user/tested').expect(404);
    await createUser(place.server, 'curious');
    await as(place.server, 'curious').post('/sso/example/test').expect(403);
  });
});

describe('Back-channel logout', () => {
  const logoutType = { typ: 'logout+jwt' };
  const send = (token: string) =>
    place.server.anonymous.post('/sso/example/backchannel_logout').type('form').send({ logout_token: token });
  const logout = (more: JWTPayload = {}): JWTPayload => ({
    iss: place.provider.issuer,
    aud: clientId,
    iat: now(),
    exp: now() + 60,
    jti: 'id',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    ...more,
  });

  test('ends the sessions of a user, but no session that begins later', async () => {
    const subject = person('everywhere');
    const [one, two] = [await signIn(subject), await signIn(subject)];
    expect((await me(one.visitor)).status).toBe(200);
    const { prisma } = place.server.database;
    expect(await prisma.session.count({ where: { userId: 'everywhere', provider: 'example' } })).toBe(2);
    await send(await place.provider.sign(logout({ sub: subject }), logoutType)).expect(200);
    expect([(await me(one.visitor)).status, (await me(two.visitor)).status]).toEqual([401, 401]);
    expect(await prisma.session.count({ where: { userId: 'everywhere' } })).toBe(0);
    const extended = { id: 'everywhere', ended: 'session', provider: 'example' };
    expect(await prisma.logEntry.count({ where: { extended: { equals: extended } } })).toBe(2);
    const { visitor } = await signIn(subject);
    await send(await place.provider.sign(logout({ sub: subject, iat: now() - 60 }), logoutType)).expect(200);
    expect((await me(visitor)).status).toBe(200);
  });

  test('ends one session by its id at the provider', async () => {
    const subject = person('once');
    const [one, two] = [await signIn(subject), await signIn(subject)];
    const [session] = await place.server.database.prisma.identitySession.findMany({
      where: { identity: { subject } },
      orderBy: { createdAt: 'asc' },
    });
    expect(session?.sid).toEqual(expect.any(String));
    await send(await place.provider.sign(logout({ sid: session?.sid }), logoutType)).expect(200);
    expect([(await me(one.visitor)).status, (await me(two.visitor)).status]).toEqual([401, 200]);
  });

  test.each<[string, JWTPayload]>([
    ['for another client', { aud: 'other' }],
    ['that is old', { iat: now() - 3_600 }],
    ['without the event', { events: {} }],
    ['without a user or session', { sub: undefined as never }],
    ['with a nonce, like ID tokens', { nonce: 'n' }],
  ])('is refused %s', async (_what, claims) => {
    const subject = person('steady');
    const { visitor } = await signIn(subject);
    const entries = Object.entries(logout({ sub: subject, ...claims })).filter(
      ([, value]) => value !== undefined,
    );
    const { body } = await send(await place.provider.sign(Object.fromEntries(entries), logoutType)).expect(
      400,
    );
    expect(body).toEqual({ error: 'invalid_request' });
    expect((await me(visitor)).status).toBe(200);
  });
});

describe('IDENTITY_FILE', () => {
  const start = (entry: unknown, more: Record<string, string> = {}) =>
    startServer({ ...identityFile({ example: entry }), ...more });
  const entry = (more: object = {}) => ({
    kind: 'oidc',
    issuer: 'https://login.example.org',
    clientId,
    ...more,
  });

  test.each<[unknown, string]>([
    [
      entry({ issuer: 'http://login.example.org' }),
      'providers.example.issuer: must be a URL that begins with https://',
    ],
    [
      entry({ clientSecret: 'x' }),
      'providers.example.clientSecret: must be {"file": PATH} or {"variable": NAME}',
    ],
    [entry({ clientSecret: { file: 'absent' } }), 'providers.example.clientSecret: absent cannot be read'],
    [entry({ clientSecret: { variable: 'ABSENT' } }), 'the environment variable ABSENT is not set'],
    [entry({ users: { properties: { nme: 'name' } } }), 'users.properties.nme: users have no such property'],
    [
      entry({ users: { properties: { password: 'x' } } }),
      'users.properties.password: cannot be written by a rule',
    ],
    [entry({ isuer: 'x' }), 'providers.example.isuer: is not a known setting'],
    [entry({ accessTokens: { audience: clientId, types: ['JWT'] } }), 'must differ from clientId'],
    [{ kind: 'saml' }, 'providers.example.kind: must be "oidc"'],
  ])('is refused with its place and fault: %j', async (value, message) => {
    await expect(start(value)).rejects.toThrow(message);
    await expect(start(value)).rejects.toThrow(/identity\.json: providers\.example/);
  });

  test('must be named if AUTH_CHAIN has oidc, and the other way round', async () => {
    await expect(startServer({ AUTH_CHAIN: 'basic,oidc' })).rejects.toThrow('"oidc" requires IDENTITY_FILE');
    await expect(start(entry(), { AUTH_CHAIN: 'basic' })).rejects.toThrow(
      'AUTH_CHAIN does not contain "oidc"',
    );
  });
});

describe('A provider that is removed from IDENTITY_FILE', () => {
  const cookieOf = ({ cookies }: WebVisitor): string =>
    [...(cookies.get('127.0.0.1') ?? [])].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const tokenOf = async (cookie: string, { anonymous }: Pick<TestServer, 'anonymous'>): Promise<string> =>
    (await anonymous.post('/api/v1/token?application=Phone').set('Cookie', cookie).expect(201)).text;

  test('ends its sessions when the server starts again, and the tokens of users who have no password', async () => {
    await using other = await startSsoPlace();
    const { server } = other;
    const { visitor } = await signIn(person('alone', {}, other), other);
    const cookie = cookieOf(visitor);
    const token = await tokenOf(cookie, server);
    // This user has a password as well, so that only the session comes from the provider.
    await createUser(server, 'both');
    const subject = person('both', {}, other);
    await server.database.prisma.identity.create({ data: { provider: 'example', subject, userId: 'both' } });
    const { text: ownToken } = await as(server, 'both').post('/api/v1/token?application=Phone').expect(201);
    const bothCookie = cookieOf((await signIn(subject, other)).visitor);
    const withCookie = (at: Pick<TestServer, 'anonymous'>, value: string) =>
      at.anonymous.get('/api/v1/me').set('Cookie', value);
    const withToken = (at: Pick<TestServer, 'anonymous'>, value: string) =>
      at.anonymous.get('/api/v1/me').set('X-Authentication-Token', value);
    // The last session began with a password of this server.
    const signedIn = await server.anonymous.post('/login').send({ username: 'both', password }).expect(204);
    const ownCookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    for (const each of [cookie, bothCookie, ownCookie]) await withCookie(server, each).expect(200);
    await withToken(server, token).expect(200);

    const without = await startBeside(server);
    for (const each of [cookie, bothCookie]) await withCookie(without, each).expect(401);
    await withCookie(without, ownCookie).expect(200);
    await withToken(without, token).expect(401);
    await withToken(without, ownToken).expect(200);
    await without.anonymous.get('/api/v1/me').auth('both', password).expect(200);
    await without.close();
    const { prisma } = server.database;
    expect([await prisma.session.count(), await prisma.identitySession.count()]).toEqual([1, 0]);
    const where = { eventId: 'user_modified', extended: { path: ['ended'], equals: 'session' } };
    const logged = await prisma.logEntry.findMany({ where });
    expect(logged.map(({ extended }) => extended)).toEqual(
      expect.arrayContaining(['alone', 'both'].map((id) => ({ id, ended: 'session', provider: 'example' }))),
    );

    // With the provider, the tokens are accepted again; the sessions are not.
    const settings = identityFile({ example: other.provider.settings({ users: userRules }) });
    const again = await startBeside(server, settings);
    for (const each of [cookie, bothCookie]) await withCookie(again, each).expect(401);
    await withToken(again, token).expect(200);
    await again.close();
  });

  test('ends the sessions of the consent page as well, and is not offered for signing in', async () => {
    await using other = await startSsoPlace();
    const redirectUri = 'https://app.example.org/back';
    await other.server.database.prisma.oAuth2Client.create({
      data: { clientId: 'app', name: 'App', redirectUris: [redirectUri], autoGrant: false, enabled: true },
    });
    const query = new URLSearchParams({ response_type: 'code', client_id: 'app', redirect_uri: redirectUri });
    const authorize = `/oauth2/authorize?${query}`;
    const visitor = new WebVisitor();
    const start = `${other.origin}/sso/example?target=${encodeURIComponent(authorize)}`;
    await visitor.signIn(start, person('consenting', {}, other));
    const pageOf = async (at: Pick<TestServer, 'anonymous'>): Promise<string> =>
      (await at.anonymous.get(authorize).set('Cookie', cookieOf(visitor)).expect(200)).text;
    expect(await pageOf(other.server)).toContain('You are signed in as <strong>consenting</strong>');
    const without = await startBeside(other.server);
    const page = await pageOf(without);
    expect(page).not.toContain('consenting');
    expect(page).not.toContain('Sign in with');
    await without.close();
  });
});

describe('The pages of OAuth 2.0', () => {
  const authorize = async (at: SsoPlace, visitor: WebVisitor) => {
    const redirectUri = 'https://app.example.org/back';
    await at.server.database.prisma.oAuth2Client.create({
      data: { clientId: 'app', name: 'App', redirectUris: [redirectUri], autoGrant: false, enabled: true },
    });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: redirectUri,
      state: 's',
    });
    return { url: `${at.origin}/oauth2/authorize?${query}`, visitor };
  };

  test('offer the providers, and continue with the consent of the user', async () => {
    const { url, visitor } = await authorize(place, new WebVisitor());
    const page = await (await visitor.fetch(url)).text();
    expect(page).toContain('Sign in with Example</a>');
    const [, address = ''] = /<a class="button" href="([^"]*)"/.exec(page) ?? [];
    const start = `${place.origin}${address.replaceAll('&amp;', '&')}`;
    const text = await (await visitor.signIn(start, person('granting'))).response.text();
    const [, next = ''] = /content="0;url=([^"]*)"/.exec(text) ?? [];
    expect(next).toMatch(/^\/oauth2\/authorize\?/);
    const consent = await (await visitor.fetch(`${place.origin}${next.replaceAll('&amp;', '&')}`)).text();
    expect(consent).toContain('You are signed in as <strong>granting</strong>');
  });

  test('leave second factors to the provider', async () => {
    await using other = await startSsoPlace({}, { SECOND_FACTOR_GROUPS: '*' });
    const { url, visitor } = await authorize(other, new WebVisitor());
    const target = encodeURIComponent(url.slice(other.origin.length));
    await visitor.signIn(`${other.origin}/sso/example?target=${target}`, person('exempt', {}, other));
    const consent = await (await visitor.fetch(url)).text();
    expect(consent).toContain('You are signed in as <strong>exempt</strong>');
  });

  test('lead straight to the only provider if passwords are off', async () => {
    await using other = await startSsoPlace({}, { AUTH_CHAIN: 'oauth2,oidc' });
    const { url, visitor } = await authorize(other, new WebVisitor());
    const response = await visitor.fetch(url);
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/sso\/example\?target=/);
  });
});

describe('Signing out', () => {
  test('ends the session here and leads to the end of the session at the provider', async () => {
    const { visitor } = await signIn(person('leaving'));
    const cookies = new Map(visitor.cookies.get('127.0.0.1'));
    const headers = { accept: 'application/json' };
    const response = await visitor.fetch(`${place.origin}/logout`, { method: 'POST', headers });
    const { location } = (await response.json()) as { location: string };
    const url = new URL(location);
    expect(url.origin).toBe(place.provider.issuer);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${place.origin}/`);
    const thief = new WebVisitor();
    thief.cookies.set('127.0.0.1', cookies);
    expect((await me(thief)).status).toBe(401);
  });

  test('returns 204 for a session that began with a password', async () => {
    await place.server.request.post('/logout').set('Accept', 'application/json').expect(204);
  });
});
