/** @group slow */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { signJwt } from '../../../src/auth/jwt.ts';
import { ask, codeFor, exchange, read, refresh, register, submit, tokensFor } from '../../oauth2/flow.ts';
import { jwtSecret } from '../../support/authentication.ts';
import { useServer } from '../../support/server.ts';
import { untilWaiting } from '../../support/until-waiting.ts';
import { as, createUser } from '../../support/users.ts';
import { withoutDeadlocks } from '../row-locks/without-deadlocks.ts';

const server = useServer({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '1000', DATABASE_CONNECTIONS: '25' });
withoutDeadlocks(server);
beforeAll(() => register(server));

const open = '/api/v1/config/types';
const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const several = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: 4 }, make));
const user = (round: number, what: string) => createUser(server, `${what}-${round}`);
const rounds = [1, 2, 3, 4, 5];

describe('§5 while the credentials of a user end', () => {
  test.each(rounds)(
    'tokens that are made of codes, refresh tokens and JWTs end as well (%i)',
    async (round) => {
      const id = await user(round, 'granting');
      const pairs = await several(() => tokensFor(server, id));
      const codes = await several(() => codeFor(server, {}, id));
      const assertion = await signJwt(Buffer.from(jwtSecret), { username: id });
      const [, ...made] = await Promise.all([
        server.request.delete(`/api/v1/user/${id}/credentials`).expect(204),
        ...pairs.map(({ refresh_token }) => refresh(server, refresh_token)),
        ...codes.map((code) => exchange(server, code)),
        ask(server, { grant_type, assertion }),
      ]);
      for (const { status, body } of made) {
        expect([200, 400]).toContain(status);
        await read(server, body.access_token ?? '').expect(401);
        await refresh(server, body.refresh_token ?? 'none').expect(400);
      }
    },
  );

  test('the second use of a code also revokes the pair of a concurrent refresh', async () => {
    const code = await codeFor(server, {}, await createUser(server, 'robbed'));
    const { body: first } = await exchange(server, code).expect(200);
    const { both } = await server.database.transaction(30, async ({ prisma }) => {
      // The refresh has deleted the old pair, and waits for the client of the new one.
      await prisma.$queryRaw`SELECT 1 FROM oauth2_client FOR UPDATE`;
      const refreshed = refresh(server, first.refresh_token).then((response) => response);
      await untilWaiting(server.database, 1);
      const again = exchange(server, code).then((response) => response);
      await untilWaiting(server.database, 2);
      return { both: Promise.all([refreshed, again]) };
    });
    const [{ status, body }, { status: refused }] = await both;
    expect([status, refused]).toEqual([200, 400]);
    await read(server, body.access_token).expect(401);
    await refresh(server, body.refresh_token).expect(400);
  });

  test('a client gets one pair of tokens for two concurrent JWTs', async () => {
    const username = await createUser(server, 'twice');
    const assertion = await signJwt(Buffer.from(jwtSecret), { username });
    const { both } = await server.database.transaction(30, async ({ prisma }) => {
      // Whoever makes tokens waits for their client.
      await prisma.$queryRaw`SELECT 1 FROM oauth2_client FOR UPDATE`;
      const sent = Promise.all([1, 2].map(() => ask(server, { grant_type, assertion }).expect(200)));
      await untilWaiting(server.database, 2);
      return { both: sent };
    });
    const [one, other] = await both;
    expect(other?.body.access_token).toBe(one?.body.access_token);
    expect(await server.database.prisma.oAuth2Token.count({ where: { userId: username } })).toBe(1);
  });

  test('a request that was accepted before creates no credentials afterwards', async () => {
    const id = await createUser(server, 'late');
    for (const known of [as(server, id), server.request]) await known.get(open).expect(200);
    const query = 'mutation { createToken(application: "app") createJwt(username: "Administrator") }';
    const { late } = await server.database.transaction(30, async ({ prisma }) => {
      const where = { id: { in: [id, 'Administrator'] } };
      await prisma.user.updateMany({ where, data: { credentialsEndedAt: new Date() } });
      const sent = Promise.all([
        as(server, id).post('/api/v1/token').query({ application: 'app' }),
        submit(server, {}, id),
        server.request.post('/graphql').send({ query }),
      ]);
      await untilWaiting(server.database, 3);
      return { late: sent };
    });
    const [token, consent, { body }] = await late;
    expect([token.status, consent.status]).toEqual([401, 401]);
    expect(body.errors).toEqual([expect.objectContaining({ extensions: { code: 'UNAUTHENTICATED' } })]);
    expect(
      await server.database.prisma.loginToken.count({ where: { userId: { in: [id, 'Administrator'] } } }),
    ).toBe(0);
  });

  test('a request with an old password creates nothing that lasts', async () => {
    const id = await createUser(server, 'changing');
    await as(server, id).get(open).expect(200);
    const change = { oldPassword: 'secret', newPassword: 'fresh' };
    const [tokens, consents] = await Promise.all([
      several(() => as(server, id).post('/api/v1/token').query({ application: 'app' })),
      several(() => submit(server, {}, id)),
      as(server, id).put('/api/v1/me/changepassword').send(change).expect(200),
    ]);
    for (const { status, text } of tokens) {
      expect([201, 401]).toContain(status);
      await server.anonymous.get(open).set('X-Authentication-Token', text).expect(401);
    }
    for (const { status, headers } of consents) {
      expect([302, 401]).toContain(status);
      const code = new URL(headers.location ?? 'x:').searchParams.get('code');
      if (code !== null) await exchange(server, code).expect(400);
    }
  });
});
