/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { ask, exchange, register } from '../oauth2/flow.ts';
import { startServer, statements, type TestServer, useServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';

type Headers = Record<string, string>;

const proxied = { TRUST_PROXY: '1', ADMIN_PASSWORD: 'another' };
const usual = useServer(proxied);
const strict = useServer({ ...proxied, LOGIN_FAILURES: '2' });

const from = (address: string): Headers => ({ 'X-Forwarded-For': address });
let addresses = 0;

/** An address that no other test has: failures are counted for each. */
function nextAddress(): string {
  addresses += 1;
  return `192.0.2.${addresses}`;
}

const open = '/api/v1/config/types';
const log = ({ anonymous }: TestServer, user: string, password: string, headers: Headers) =>
  anonymous.get(open).auth(user, password).set(headers);
const statuses = async (count: number, ask: (index: number) => PromiseLike<{ status: number }>) => {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await ask(index)).status);
  return seen;
};
const failing = (count: number) => [...Array(count).fill(401), 429];

describe('§5 failed log-ins', () => {
  test('after ten in a minute an account is answered 429 with Retry-After, without SQL', async () => {
    const here = from(nextAddress());
    const wrong = (index: number) => log(usual, 'Administrator', `wrong ${index}`, here);
    expect(await statuses(11, wrong)).toEqual(failing(10));
    const response = await log(usual, 'Administrator', 'wrong', here).expect(429);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 429 });
    expect(statements(response)).toBe(0);
  });

  test('a blocked account is answered 429 for the right password as well', async () => {
    const here = from(nextAddress());
    await log(strict, 'Administrator', 'Administrator', here).expect(200); // and is remembered
    expect(await statuses(2, () => log(strict, 'Administrator', 'wrong', here))).toEqual([401, 401]);
    await log(strict, 'Administrator', 'Administrator', here).expect(429);
  });

  test('other accounts are not blocked', async () => {
    const here = from(nextAddress());
    await createUser(strict, 'other');
    expect(await statuses(3, () => log(strict, 'Administrator', 'wrong', here))).toEqual(failing(2));
    await log(strict, 'other', 'secret', here).expect(200);
  });

  test('unknown users are blocked like existing ones', async () => {
    const here = from(nextAddress());
    expect(await statuses(3, () => log(strict, 'nobody', 'wrong', here))).toEqual(failing(2));
  });

  test('LOGIN_FAILURES is the limit of an account; an address has ten times as many', async () => {
    const here = from(nextAddress());
    const wrong = (index: number) => log(strict, `user ${index}`, 'wrong', here);
    expect(await statuses(21, wrong)).toEqual(failing(20));
    await log(strict, 'Administrator', 'Administrator', here).expect(429);
  });

  test('unknown tokens are counted for the address', async () => {
    const here = from(nextAddress());
    const kinds: Headers[] = [
      { 'X-Authentication-Token': 'x' },
      { Authorization: 'Bearer x' },
      { Authorization: 'Bearer a.b.c' },
    ];
    const guess = (index: number) =>
      strict.anonymous.get(open).set({ ...here, ...kinds[index % kinds.length] });
    expect(await statuses(21, guess)).toEqual(failing(20));
  });

  const query = { applicationName: 'a', deviceId: 'd', permission: 'rw' };
  const tokenFor = (user: string, password: string, headers: Headers) =>
    strict.anonymous.get('/authentication/token').auth(user, password).set(headers).query(query);

  test('requests for a login token are counted', async () => {
    const here = from(nextAddress());
    expect(await statuses(3, () => tokenFor('Administrator', 'wrong', here))).toEqual(failing(2));
    await log(strict, 'Administrator', 'Administrator', here).expect(429);
  });

  test('wrong old passwords are counted, for callers with a token as well', async () => {
    const here = from(nextAddress());
    await createUser(strict, 'ann');
    const { text } = await tokenFor('ann', 'secret', here).expect(201);
    const change = (oldPassword: string) =>
      strict.anonymous
        .put('/api/v1/me/changepassword')
        .set({ ...here, 'X-Authentication-Token': text })
        .send({ oldPassword, newPassword: 'another' });
    expect(await statuses(3, () => change('wrong'))).toEqual(failing(2));
    await change('secret').expect(429);
    await log(strict, 'ann', 'secret', here).expect(429);
    await strict.anonymous
      .get(open)
      .set({ ...here, 'X-Authentication-Token': text })
      .expect(200);
  });

  test('concurrent wrong old passwords are limited like sequential ones', async () => {
    const here = from(nextAddress());
    await createUser(strict, 'bob');
    await log(strict, 'bob', 'secret', here).expect(200);
    const change = () =>
      strict.anonymous
        .put('/api/v1/me/changepassword')
        .auth('bob', 'secret')
        .set(here)
        .send({ oldPassword: 'wrong', newPassword: 'another' });
    const answers = await Promise.all(Array.from({ length: 12 }, change));
    const refused = answers.map(({ status }) => status).sort();
    expect(refused).toEqual([...Array(2).fill(401), ...Array(10).fill(429)]);
  });

  /** Requests tokens as a client with this secret. */
  const refresh = (server: TestServer, client_secret: string, headers: Headers) =>
    ask(server, {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: 'secretive',
      client_secret,
    }).set(headers);

  test('wrong secrets of an OAuth client are counted for the client', async () => {
    const here = from(nextAddress());
    await register(strict, { clientId: 'secretive', clientSecret: 'sesame' });
    expect(await statuses(3, () => refresh(strict, 'wrong', here))).toEqual([400, 400, 429]);
    await refresh(strict, 'sesame', here).expect(429);
    await log(strict, 'Administrator', 'Administrator', here).expect(200);
  });

  test('of wrong secrets that are sent at once only as many are tried as may fail', async () => {
    const here = from(nextAddress());
    await register(usual, { clientId: 'secretive', clientSecret: 'sesame' });
    const guesses = Array.from({ length: 30 }, (_, index) => refresh(usual, `guess ${index}`, here));
    const seen = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(seen).toEqual([...Array(10).fill(400), ...Array(20).fill(429)]);
  });

  test('unknown authorization codes are counted for the address', async () => {
    const here = from(nextAddress());
    await register(strict);
    const guess = (index: number) => exchange(strict, `guess ${index}`).set(here);
    expect(await statuses(21, guess)).toEqual([...Array(20).fill(400), 429]);
  });

  test('requests without credentials are not counted', async () => {
    const here = from(nextAddress());
    expect(await statuses(30, () => strict.anonymous.get(open).set(here))).toEqual(Array(30).fill(401));
    await log(strict, 'Administrator', 'Administrator', here).expect(200);
  });
});

describe('§5 the remote address of a request', () => {
  test('is that of the socket, whatever X-Forwarded-For has', async () => {
    await using plain = await startServer({ LOGIN_FAILURES: '2' });
    const wrong = () => log(plain, 'Administrator', 'wrong', from(nextAddress()));
    expect(await statuses(3, wrong)).toEqual(failing(2));
  });

  test('is taken from X-Forwarded-For with TRUST_PROXY, and blocked separately', async () => {
    const here = from(nextAddress());
    expect(await statuses(3, () => log(strict, 'Administrator', 'wrong', here))).toEqual(failing(2));
    await log(strict, 'Administrator', 'Administrator', here).expect(429);
    await log(strict, 'Administrator', 'Administrator', from(nextAddress())).expect(200);
  });

  test('is not taken from entries of X-Forwarded-For before the trusted one', async () => {
    const address = nextAddress();
    const wrong = (index: number) =>
      log(strict, 'Administrator', 'wrong', from(`203.0.113.${index}, ${address}`));
    expect(await statuses(3, wrong)).toEqual(failing(2));
  });

  test('is logged', async () => {
    const remoteAddress = nextAddress();
    await log(usual, 'Administrator', 'Administrator', from(remoteAddress)).expect(200);
    const req = expect.objectContaining({ remoteAddress });
    expect(usual.logged).toContainEqual(expect.objectContaining({ req }));
  });
});

describe('§5 AUTH_CHAIN', () => {
  test('methods that it does not list are ignored', async () => {
    await using server = await startServer({ AUTH_CHAIN: 'token' });
    await server.request.get(open).expect(401);
  });

  test('the first listed method with credentials decides', async () => {
    const both = (server: TestServer, token: string) =>
      server.request.get(open).set('X-Authentication-Token', token);
    await using one = await startServer({ AUTH_CHAIN: 'basic,token' });
    await both(one, 'wrong').expect(200);
    await using other = await startServer({ AUTH_CHAIN: 'token,basic' });
    await both(other, 'wrong').expect(401);
    await other.request.get(open).expect(200);
  });
});
