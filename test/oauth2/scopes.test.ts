import { beforeAll, describe, expect, test } from '@jest/globals';
import { useServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';
import { codeFor, exchange, redirect, refresh, register, type Tokens } from './flow.ts';

const server = useServer({ LOGIN_FAILURES: '1000' });
beforeAll(async () => {
  await createUser(server, 'ann');
  await register(server);
});

const tokensWith = async (scope: string): Promise<Tokens> =>
  (await exchange(server, await codeFor(server, { scope })).expect(200)).body;

const statusAt = async (path: string, { access_token }: Pick<Tokens, 'access_token'>): Promise<number> =>
  (await server.anonymous.get(path).set('Authorization', `Bearer ${access_token}`)).status;

describe('§5 a scope that begins with path:/', () => {
  test('restricts the tokens to a path and the paths below it', async () => {
    const tokens = await tokensWith('path:/api/v1/config openid');
    expect(await statusAt('/api/v1/config/types', tokens)).toBe(200);
    for (const path of ['/api/v1/me', '/api/v1/configs', '/graphql?query={me{id}}'])
      expect(await statusAt(path, tokens)).toBe(401);
  });

  test.each([undefined, 'openid', 'path:/api/v1/me'])(
    'also restricts refreshed tokens (%s)',
    async (scope) => {
      const tokens = await tokensWith('path:/api/v1/config openid');
      const { status, body } = await refresh(server, tokens.refresh_token, { scope });
      if (scope === 'path:/api/v1/me') return expect(status).toBe(400);
      expect(await statusAt('/api/v1/config/types', body)).toBe(200);
      expect(await statusAt('/api/v1/me', body)).toBe(401);
    },
  );

  test.each(['openid', 'path:/', 'path:', ''])(
    'is the only scope with a meaning: "%s" has none',
    async (scope) => {
      expect(await statusAt('/api/v1/me', await tokensWith(scope))).toBe(200);
    },
  );

  test.each([
    ['path:/api/v1/config', 'use the addresses at /api/v1/config on your behalf', false],
    ['path:/<b>', 'use the addresses at /&lt;b&gt; on your behalf', false],
    ['openid', 'read everything that you can read', true],
  ])('is named on the consent page: %s', async (scope, can, isWriter) => {
    const query = { response_type: 'code', client_id: 'app', redirect_uri: redirect, scope };
    const { text } = await server.anonymous.get('/oauth2/authorize').query(query).auth('ann', 'secret');
    expect(text).toContain(`<li>${can}</li>`);
    expect(text.includes('create, change and delete content')).toBe(isWriter);
  });
});
