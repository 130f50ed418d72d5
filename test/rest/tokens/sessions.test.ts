/** @group every-database */
import { describe, expect, test } from '@jest/globals';
import { register, tokensFor } from '../../oauth2/flow.ts';
import { type TestServer, useServer } from '../../support/server.ts';
import { createUser, password, useUser } from '../../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
const bob = useUser(server, 'bob', ['members']);
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Signs in to the console. @returns the header `Cookie` */
async function signIn({ anonymous }: TestServer, username: string, browser = firefox): Promise<string> {
  const sent = anonymous.post('/login').set('User-Agent', browser);
  const { headers } = await sent.send({ username, password }).expect(204);
  return String(headers['set-cookie']).split(';', 1)[0] ?? '';
}

const get = (cookie: string, path = '/api/v1/me') => server.anonymous.get(path).set('Cookie', cookie);

interface SessionEntity {
  readonly id: string;
  readonly lastUsed: string;
  readonly isCurrent: boolean;
}

async function sessionsOf(cookie: string): Promise<SessionEntity[]> {
  const { body } = await get(cookie, '/api/v1/session').expect(200);
  return body.entries;
}

async function auditOf(principalName: string): Promise<Array<Record<string, unknown>>> {
  await server.journal.flush();
  const entries = await server.database.prisma.logEntry.findMany({
    where: { principalName, eventId: 'user_modified' },
    orderBy: { id: 'asc' },
  });
  const details = entries.map(({ extended }) => extended as Record<string, unknown>);
  return details.filter(({ created }) => created !== 'device'); // a browser that signs in for the first time
}

describe('§5 the sessions of a user', () => {
  test('are listed with browser, address and times, and mark the current one', async () => {
    const [first, second] = [await signIn(server, 'ann'), await signIn(server, 'ann', 'curl/8.5.0')];
    const entries = await sessionsOf(second);
    expect(entries).toEqual([
      expect.objectContaining({ username: 'ann', browser: 'Firefox, Linux', isCurrent: false }),
      expect.objectContaining({ browser: 'curl', address: expect.stringMatching(/127\.0\.0\.1$/) }),
    ]);
    expect(entries[1]?.isCurrent).toBe(true);
    expect((await sessionsOf(first)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });

  test('are not listed for others, nor for requests without a session as the current one', async () => {
    await signIn(server, 'bob');
    const { body } = await bob.get('/api/v1/session').expect(200);
    expect(body.entries.map(({ username }: { username: string }) => username)).toEqual(['bob']);
    expect(body.entries[0].isCurrent).toBe(false);
  });

  test('end one by one, with an entry in the log', async () => {
    const id = await createUser(server, 'cleo');
    const [stolen, own] = [await signIn(server, id), await signIn(server, id)];
    await get(stolen).expect(200);
    const [session] = await sessionsOf(own);
    await server.anonymous.delete(`/api/v1/session/${session?.id}`).set('Cookie', own).expect(204);
    await get(stolen).expect(401);
    await get(own).expect(200);
    expect(await auditOf(id)).toEqual([expect.objectContaining({ id, ended: 'session' })]);
  });

  test('are ended by their user and administrators only', async () => {
    const cookie = await signIn(server, 'ann');
    const session = (await sessionsOf(cookie)).find(({ isCurrent }) => isCurrent);
    const path = `/api/v1/session/${session?.id}`;
    await bob.delete(path).expect(403);
    await get(cookie).expect(200);
    await server.request.delete(path).expect(204);
    await get(cookie).expect(401);
    await ann.delete(path).expect(404);
    await ann.delete('/api/v1/session/no-uuid').expect(404);
  });

  test('end on signing out, so that a copy of the cookie is worth nothing', async () => {
    const cookie = await signIn(server, 'ann');
    await get(cookie).expect(200);
    await server.anonymous
      .post('/logout')
      .set('Cookie', cookie)
      .set('X-Requested-With', 'XMLHttpRequest')
      .expect(204);
    await get(cookie).expect(401);
  });

  test('end with all credentials of the user', async () => {
    const id = await createUser(server, 'dora');
    await signIn(server, id);
    await server.request.delete(`/api/v1/user/${id}/credentials`).expect(204);
    expect(await server.database.prisma.session.count({ where: { userId: id } })).toBe(0);
  });
});

describe('§5 the last use of a credential', () => {
  const longAgo = new Date('2026-01-01T00:00:00Z');

  test('is written for sessions and tokens, at most once a minute however many processes see them', async () => {
    const id = await createUser(server, 'emil');
    await register(server, { clientId: 'reader' });
    const { access_token } = await tokensFor(server, id, { client_id: 'reader' });
    const { text: token } = await server.anonymous
      .post('/api/v1/token?application=Phone')
      .auth(id, password)
      .expect(201);
    const cookie = await signIn(server, id);
    const { prisma } = server.database;
    await prisma.session.updateMany({ where: { userId: id }, data: { lastUsedAt: longAgo } });

    const bearer = { Authorization: `Bearer ${access_token}` };
    for (const headers of [{ Cookie: cookie }, { 'X-Authentication-Token': token }, bearer])
      await server.anonymous.get('/api/v1/me').set(headers).expect(200);
    await server.journal.flush();
    const uses = async () => [
      ...(await prisma.session.findMany({ where: { userId: id } })),
      ...(await prisma.loginToken.findMany({ where: { userId: id } })),
      ...(await prisma.oAuth2Token.findMany({ where: { userId: id } })),
    ];
    const first = (await uses()).map(({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0);
    for (const time of first) expect(time).toBeGreaterThan(longAgo.getTime());
    expect(first).toHaveLength(3);

    const { body } = await server.anonymous
      .get('/api/v1/token')
      .set('X-Authentication-Token', token)
      .expect(200);
    expect(body.entries[0].lastUsed).toBe(new Date(first[1] ?? 0).toISOString());

    // All caches are dropped, as in another process, so that the use is reported again within the minute.
    await server.database.transaction(30, ({ announce }) => announce('principals'));
    await get(cookie).expect(200);
    await server.journal.flush();
    expect((await uses()).map(({ lastUsedAt }) => lastUsedAt?.getTime())).toEqual(first);
  });
});

test('§5 making and ending login tokens is logged, but not getting the same one again', async () => {
  const id = await createUser(server, 'fred');
  const path = '/api/v1/token?application=Phone&deviceId=1';
  for (const _ of [1, 2]) await server.anonymous.post(path).auth(id, password).expect(201);
  const { body } = await server.anonymous.get('/api/v1/token').auth(id, password).expect(200);
  await server.anonymous.delete(`/api/v1/token/${body.entries[0].id}`).auth(id, password).expect(204);
  expect(await auditOf(id)).toEqual([
    { id, created: 'login token', application: 'Phone' },
    { id, ended: 'login token', application: 'Phone' },
  ]);
});
