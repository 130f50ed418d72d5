import { afterEach, describe, expect, test } from '@jest/globals';
import { ask, exchange, register } from '../oauth2/flow.ts';
import { startServer, statements, type TestServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';

let server: TestServer;
afterEach(() => server.stop());

const open = '/api/v1/config/types';
const log = (user: string, password: string, headers = {}) =>
  server.anonymous.get(open).auth(user, password).set(headers);
const statuses = async (count: number, ask: (index: number) => PromiseLike<{ status: number }>) => {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await ask(index)).status);
  return seen;
};
const failing = (count: number) => [...Array(count).fill(401), 429];

describe('§5 failed log-ins', () => {
  test('after ten in a minute an account is answered 429 with Retry-After, without SQL', async () => {
    server = await startServer();
    expect(await statuses(11, (index) => log('Administrator', `wrong ${index}`))).toEqual(failing(10));
    const response = await log('Administrator', 'wrong').expect(429);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 429 });
    expect(statements(response)).toBe(0);
  });

  test('a blocked account is answered 429 for the right password as well', async () => {
    server = await startServer();
    await log('Administrator', 'Administrator').expect(200); // and is remembered
    await statuses(10, () => log('Administrator', 'wrong'));
    await log('Administrator', 'Administrator').expect(429);
  });

  test('other accounts are not blocked', async () => {
    server = await startServer();
    await createUser(server, 'ann');
    await statuses(11, () => log('Administrator', 'wrong'));
    await log('ann', 'secret').expect(200);
  });

  test('unknown users are blocked like existing ones', async () => {
    server = await startServer();
    expect(await statuses(11, () => log('nobody', 'wrong'))).toEqual(failing(10));
  });

  test('LOGIN_FAILURES is the limit of an account; an address has ten times as many', async () => {
    server = await startServer({ LOGIN_FAILURES: '2' });
    expect(await statuses(21, (index) => log(`user ${index}`, 'wrong'))).toEqual(failing(20));
    await log('Administrator', 'Administrator').expect(429);
  });

  test('unknown tokens are counted for the address', async () => {
    server = await startServer({ LOGIN_FAILURES: '1' });
    const kinds: Record<string, string>[] = [
      { 'X-Authentication-Token': 'x' },
      { Authorization: 'Bearer x' },
      { Authorization: 'Bearer a.b.c' },
    ];
    const ask = (index: number) =>
      server.anonymous.get(open).set(kinds[index % kinds.length] as Record<string, string>);
    expect(await statuses(11, ask)).toEqual(failing(10));
  });

  test('requests for a login token are counted', async () => {
    server = await startServer({ LOGIN_FAILURES: '3' });
    const query = { applicationName: 'a', deviceId: 'd', permission: 'rw' };
    const ask = () =>
      server.anonymous.get('/authentication/token').auth('Administrator', 'wrong').query(query);
    expect(await statuses(4, ask)).toEqual(failing(3));
    await log('Administrator', 'Administrator').expect(429);
  });

  test('wrong old passwords are counted, for callers with a token as well', async () => {
    server = await startServer({ LOGIN_FAILURES: '3' });
    await createUser(server, 'ann');
    const query = { applicationName: 'a', deviceId: 'd', permission: 'rw' };
    const { text } = await server.anonymous.get('/authentication/token').auth('ann', 'secret').query(query);
    const change = (oldPassword: string) =>
      server.anonymous
        .put('/api/v1/me/changepassword')
        .set('X-Authentication-Token', text)
        .send({ oldPassword, newPassword: 'another' });
    expect(await statuses(4, () => change('wrong'))).toEqual(failing(3));
    await change('secret').expect(429);
    await log('ann', 'secret').expect(429);
    await server.anonymous.get(open).set('X-Authentication-Token', text).expect(200);
  });

  test('concurrent wrong old passwords are limited like sequential ones', async () => {
    server = await startServer({ LOGIN_FAILURES: '3' });
    await createUser(server, 'ann');
    await log('ann', 'secret').expect(200);
    const change = () =>
      server.anonymous
        .put('/api/v1/me/changepassword')
        .auth('ann', 'secret')
        .send({ oldPassword: 'wrong', newPassword: 'another' });
    const answers = await Promise.all(Array.from({ length: 12 }, change));
    const refused = answers.map(({ status }) => status).sort();
    expect(refused).toEqual([...Array(3).fill(401), ...Array(9).fill(429)]);
  });

  test('wrong secrets of an OAuth client are counted for the client', async () => {
    server = await startServer({ LOGIN_FAILURES: '3' });
    await register(server, { clientId: 'secretive', clientSecret: 'sesame' });
    const refresh = (client_secret: string) =>
      ask(server, { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'secretive', client_secret });
    expect(await statuses(4, () => refresh('wrong'))).toEqual([400, 400, 400, 429]);
    await refresh('sesame').expect(429);
    await log('Administrator', 'Administrator').expect(200);
  });

  test('of wrong secrets that are sent at once only as many are tried as may fail', async () => {
    server = await startServer();
    await register(server, { clientId: 'secretive', clientSecret: 'sesame' });
    const guess = (client_secret: string) =>
      ask(server, { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'secretive', client_secret });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(`guess ${index}`)));
    const seen = answers.map(({ status }) => status).sort();
    expect(seen).toEqual([...Array(10).fill(400), ...Array(20).fill(429)]);
  });

  test('unknown authorization codes are counted for the address', async () => {
    server = await startServer({ LOGIN_FAILURES: '1' });
    await register(server);
    const guess = (index: number) => exchange(server, `guess ${index}`);
    expect(await statuses(11, guess)).toEqual([...Array(10).fill(400), 429]);
  });

  test('requests without credentials are not counted', async () => {
    server = await startServer({ LOGIN_FAILURES: '1' });
    expect(await statuses(20, () => server.anonymous.get(open))).toEqual(Array(20).fill(401));
  });
});

describe('§5 the remote address of a request', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  test('is that of the socket, whatever X-Forwarded-For has', async () => {
    server = await startServer({ LOGIN_FAILURES: '2' });
    const ask = (index: number) => log('Administrator', 'wrong', from(`192.0.2.${index}`));
    expect(await statuses(3, ask)).toEqual(failing(2));
  });

  test('is taken from X-Forwarded-For with TRUST_PROXY, and blocked separately', async () => {
    server = await startServer({ LOGIN_FAILURES: '2', TRUST_PROXY: '1', ADMIN_PASSWORD: 'another' });
    const ask = () => log('Administrator', 'wrong', from('192.0.2.1'));
    expect(await statuses(3, ask)).toEqual(failing(2));
    await log('Administrator', 'Administrator', from('192.0.2.1')).expect(429);
    await log('Administrator', 'Administrator', from('192.0.2.2')).expect(200);
  });

  test('is not taken from entries of X-Forwarded-For before the trusted one', async () => {
    server = await startServer({ LOGIN_FAILURES: '2', TRUST_PROXY: '1', ADMIN_PASSWORD: 'another' });
    const ask = (index: number) => log('Administrator', 'wrong', from(`203.0.113.${index}, 192.0.2.1`));
    expect(await statuses(3, ask)).toEqual(failing(2));
  });

  test('is logged', async () => {
    server = await startServer({ TRUST_PROXY: '1', ADMIN_PASSWORD: 'another' });
    await log('Administrator', 'Administrator', from('192.0.2.7')).expect(200);
    const line = server.logged.find(({ req }) => req !== undefined);
    expect(line).toMatchObject({ req: { remoteAddress: '192.0.2.7' } });
  });
});

describe('§5 AUTH_CHAIN', () => {
  test('methods that it does not list are ignored', async () => {
    server = await startServer({ AUTH_CHAIN: 'token' });
    await log('Administrator', 'Administrator').expect(401);
  });

  test('the first listed method with credentials decides', async () => {
    const both = (own: TestServer, token: string) =>
      own.anonymous.get(open).auth('Administrator', 'Administrator').set('X-Authentication-Token', token);
    server = await startServer({ AUTH_CHAIN: 'basic,token' });
    await both(server, 'wrong').expect(200);
    await using other = await startServer({ AUTH_CHAIN: 'token,basic' });
    await both(other, 'wrong').expect(401);
    await other.request.get(open).expect(200);
  });
});
