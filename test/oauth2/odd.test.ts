import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';
import { challenge, codeFor, redirect, register } from './flow.ts';

const server = useServer({ LOGIN_FAILURES: '1000000' });
beforeAll(async () => {
  await createUser(server, 'ann');
  await register(server);
});

/** Usual and unusual values of parameters. */
const value = fc.oneof(
  fc.constantFrom('app', 'code', redirect, 'S256', 'plain', challenge, '1', 'ann', 'secret', 'Administrator'),
  fc.constantFrom('authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'),
  fc.constantFrom(
    '',
    '\0',
    ' ',
    '__proto__',
    'constructor',
    '%00',
    'a.b.c',
    '..',
    'https://[',
    'javascript:x',
  ),
  fc.string({ unit: 'binary' }),
);
const names = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'grant_access',
  'code_challenge_method',
  'grant_type',
  'code',
  'refresh_token',
  'assertion',
  'code_verifier',
  'client_secret',
  'username',
  'password',
  '__proto__',
  'constructor',
  'x[y]',
  'allowed',
];
const right = { response_type: 'code', client_id: 'app', redirect_uri: redirect };

/** Parameters as a form, some of them twice. */
const form = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 }))
  .map(([isRight, pairs]) => [...(isRight ? Object.entries(right) : []), ...pairs])
  .map((pairs) => new URLSearchParams(pairs.map(([name, text]) => [name, text.toWellFormed()])).toString());

const calls = fc.constantFrom(
  ['get', '/oauth2/authorize'] as const,
  ['post', '/oauth2/log_in'] as const,
  ['post', '/oauth2/authorize_submit'] as const,
  ['post', '/oauth2/token'] as const,
);

describe('§5 arbitrary requests to /oauth2', () => {
  test('are answered without an internal error and redirected to registered addresses only', async () => {
    const property = fc.asyncProperty(calls, form, fc.boolean(), async ([method, path], text, isAnn) => {
      const call = server.anonymous[method](method === 'get' ? `${path}?${text}` : path);
      if (isAnn) call.auth('ann', 'secret');
      const response = await (method === 'get' ? call : call.type('form').send(text));
      expect([200, 302, 303, 400, 401]).toContain(response.status);
      const { location } = response.headers;
      if (location) expect(location.startsWith(`${redirect}?`) || location.startsWith('/oauth2/')).toBe(true);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.text).not.toMatch(/<script/i);
    });
    await fc.assert(property, { numRuns: 400 });
    expect(server.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('of arbitrary codes only the issued one is accepted', async () => {
    const given = await codeFor(server);
    const property = fc.asyncProperty(fc.string(), async (code) => {
      const fields = { grant_type: 'authorization_code', client_id: 'app', code, redirect_uri: redirect };
      const { status } = await server.anonymous.post('/oauth2/token').type('form').send(fields);
      expect(status).toBe(code === given ? 200 : 400);
    });
    await fc.assert(property, { numRuns: 50, examples: [[`${given} `], [given.toUpperCase()], [given]] });
  });
});
