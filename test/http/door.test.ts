import { once } from 'node:events';
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { door } from '../../src/http/door.ts';
import { until } from '../support/until.ts';

/** With a pool of one connection: twenty-five requests at a time, twenty of them writes. */
const [most, mostWrites] = [25, 20];

let server: Server;
let inside: ServerResponse[];
let refused: number;
let barred: number | undefined;

/** What stands on every refusal. */
const headers = { 'X-Usual': 'yes' };

const open = async (app: RequestListener): Promise<void> => {
  const onFull = () => {
    refused += 1;
  };
  const usual = {
    connections: 1,
    barredFor: () => barred,
    headers,
    onFull,
  };
  server = createServer(door(app, usual)).listen(0, '127.0.0.1');
  await once(server, 'listening');
};

/** An application that reads what it is sent, and keeps everybody waiting. */
const keep: RequestListener = (request, response) => {
  inside.push(response);
  request.resume();
};

beforeEach(async () => {
  [inside, refused, barred] = [[], 0, undefined];
  await open(keep);
});
afterEach(async () => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const url = (path = '/'): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/** Sends requests, and waits until they are inside. */
async function enter(count: number, init: RequestInit = {}): Promise<void> {
  const before = inside.length;
  for (let index = 0; index < count; index += 1) fetch(url(), init).catch(() => {}); // cut off by the end of the test
  await until(() => inside.length === before + count);
}

const isRefused = async (init: RequestInit = {}): Promise<boolean> => {
  const before = refused;
  const answer = fetch(url(), init);
  answer.catch(() => {});
  const entered = inside.length;
  await until(() => refused > before || inside.length > entered);
  return refused > before;
};

describe('the door', () => {
  test('lets in so many, and tells the next one at once to come again', async () => {
    await enter(most);
    const answer = await fetch(url(), { headers: { 'X-Request-Id': 'mine' } });
    expect(answer.status).toBe(503);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ 'retry-after': '5', 'cache-control': 'no-store', 'x-request-id': 'mine', 'x-usual': 'yes' },
      'content-type': 'application/json; charset=utf-8',
    });
    expect(await answer.json()).toEqual({
      ...{ 'entity-type': 'exception', status: 503, requestId: 'mine' },
      message: 'the server is overloaded; try again soon',
    });
    expect(inside).toHaveLength(most);
    expect(refused).toBe(1);
  });

  test('has a place again for each one that is answered', async () => {
    const first = fetch(url());
    await until(() => inside.length === 1);
    await enter(most - 1);
    expect(await isRefused()).toBe(true);
    inside[0]?.end('done');
    expect(await (await first).text()).toBe('done');
    expect(await isRefused()).toBe(false);
    expect(await isRefused()).toBe(true);
  });

  test('keeps some places for reads', async () => {
    await enter(mostWrites, { method: 'PUT', body: '{}' });
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(await isRefused({ method })).toBe(true);
    await enter(most - mostWrites);
    expect(await isRefused()).toBe(true);
  });

  test('lets everybody in who asks for health', async () => {
    await enter(most);
    const asked = fetch(url('/health/live'));
    await until(() => inside.length === most + 1);
    inside.at(-1)?.end('up');
    expect(await (await asked).text()).toBe('up');
    expect(refused).toBe(0);
  });

  test('turns away whoever guesses, full or not, after a while, and says for how long', async () => {
    await enter(most);
    barred = 17;
    const began = performance.now();
    const answer = await fetch(url());
    expect(performance.now() - began).toBeGreaterThan(450);
    expect(answer.status).toBe(429);
    expect(Object.fromEntries(answer.headers)).toMatchObject({ 'retry-after': '17', 'x-usual': 'yes' });
    expect(await answer.json()).toEqual({
      ...{ 'entity-type': 'exception', status: 429, requestId: answer.headers.get('x-request-id') },
      message: 'too many failed log-ins; try again in 17 s',
    });
    expect([inside.length, refused]).toEqual([most, 0]);
  });

  test('does not count who is slow to send a body, until it is there', async () => {
    const slow = Array.from({ length: most }, () => {
      const request = send(url(), { method: 'POST', headers: { 'Content-Length': 2 } });
      request.on('error', () => {});
      request.write('a');
      return request;
    });
    await until(() => inside.length === most && inside.every(({ req }) => req.readableFlowing === true));
    await enter(most - 1);
    for (const request of slow.slice(0, mostWrites)) request.end('b');
    await until(() => inside.filter(({ req }) => req.complete).length === most - 1 + mostWrites);
    expect(await isRefused()).toBe(true);
    for (const request of slow) request.destroy();
  });

  test('does not count who is slow to take an answer', async () => {
    await enter(most);
    expect(await isRefused()).toBe(true);
    for (const response of inside) response.writeHead(200).write('the first of many');
    await enter(most);
    expect(await isRefused()).toBe(true);
  });

  test('counts who has left for as long as there may be work for them', async () => {
    const leaving = new AbortController();
    await enter(most, { signal: leaving.signal });
    leaving.abort();
    await until(() => inside.every(({ closed }) => closed));
    expect(await isRefused()).toBe(true);
    inside[0]?.end('nobody hears this');
    expect(await isRefused()).toBe(false);
    const later = performance.now() + 10_001;
    jest.spyOn(performance, 'now').mockImplementation(() => later);
    for (let left = 1; left < most; left += 1) expect(await isRefused()).toBe(false);
  });
});
