import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { limitAdmission } from '../../src/http/admission.ts';
import { until } from '../support/until.ts';

/** With a pool of one connection: five reads and ten writes at a time. */
const [most, mostWrites] = [5, 10];

let server: Server;
let knocked: IncomingMessage[];
let inside: ServerResponse[];
let waits: number[];
let refused: number;
let barred: number | undefined;

/** What the clock shows; it stands still, since a busy machine may take seconds for what a test does. */
let clock: number;

/** Headers of every refusal. */
const headers = { 'X-Usual': 'yes' };

/** An application that reads the bodies of requests and does not answer. */
const keep: RequestListener = (request, response) => {
  inside.push(response);
  request.resume();
};

beforeEach(async () => {
  [knocked, inside, waits, refused, barred] = [[], [], [], 0, undefined];
  clock = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  const listener = limitAdmission(keep, {
    connections: 1,
    secondsBlocked: () => barred,
    headers,
    onWaited: (seconds) => waits.push(seconds),
    onRefused: () => {
      refused += 1;
    },
  });
  server = createServer((request, response) => {
    knocked.push(request);
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const port = (): number => (server.address() as AddressInfo).port;
const url = (path = '/'): string => `http://127.0.0.1:${port()}${path}`;

/** Sends a request, and waits until the server has received it. */
async function knock(path = '/', init: RequestInit = {}): Promise<{ answer: Promise<Response> }> {
  const before = knocked.length;
  const answer = fetch(url(path), init);
  answer.catch(() => {}); // cut off by the end of the test
  await until(() => knocked.length > before);
  return { answer };
}

const write = { method: 'PUT', body: '{}' };

/** Sends requests, and waits until they are admitted. */
async function enter(count: number, init: RequestInit = {}): Promise<void> {
  const before = inside.length;
  for (let index = 0; index < count; index += 1) await knock('/', init);
  await until(() => inside.length === before + count);
}

/** The URLs of admitted requests. */
const addresses = (): Array<string | undefined> => inside.map(({ req }) => req.url);

/** Advances the clock. */
function pass(milliseconds: number): void {
  clock += milliseconds;
}

async function readAnswer(answer: Promise<Response>) {
  const response = await answer;
  const { status, headers: given } = response;
  return { status, headers: Object.fromEntries(given), body: await response.json() };
}

/** Sends requests with bodies of a given length, of which only the first byte is sent. */
async function begin(count: number, length: number): Promise<ClientRequest[]> {
  const before = knocked.length;
  const requests = Array.from({ length: count }, () => {
    const headers = { 'Content-Length': length };
    const request = send(url('/slow'), { method: 'POST', headers, agent: false });
    request.on('error', () => {}); // cut off by the end of the test
    request.write('a');
    return request;
  });
  await until(() => knocked.length === before + count);
  return requests;
}

describe('limitAdmission', () => {
  test('admits requests up to the limit; others wait in order, with their bodies unread', async () => {
    await enter(mostWrites, write);
    const first = await knock('/first', write);
    await knock('/second', { method: 'POST' });
    await knock('/third', { method: 'DELETE' });
    await knock('/fourth', { method: 'PATCH', body: '{}' });
    pass(1_000);
    expect(inside).toHaveLength(mostWrites);
    for (const { readableFlowing } of knocked.slice(mostWrites)) expect(readableFlowing).toBe(null);
    for (const count of [1, 2]) {
      inside[count]?.end();
      await until(() => inside.length === mostWrites + count);
    }
    expect(addresses().slice(mostWrites)).toEqual(['/first', '/second']);
    inside[mostWrites]?.end('done');
    expect(await (await first.answer).text()).toBe('done');
    await until(() => inside.length === mostWrites + 3);
    expect(addresses().at(-1)).toBe('/third');
    expect(waits).toEqual([expect.closeTo(1), expect.closeTo(1), expect.closeTo(1)]);
    expect(refused).toBe(0);
  });

  test('answers 503 with Retry-After to a request that waited for two seconds', async () => {
    await enter(most);
    const { answer } = await knock('/', { headers: { 'X-Request-Id': 'mine' } });
    pass(1_500);
    await wait(100);
    expect(refused).toBe(0);
    pass(501);
    const { status, headers: given, ...told } = await readAnswer(answer);
    expect(status).toBe(503);
    expect(given).toMatchObject({
      'retry-after': '5',
      'cache-control': 'no-store',
      'x-request-id': 'mine',
      'x-usual': 'yes',
      'content-type': 'application/json; charset=utf-8; nuxeo-entity=exception',
    });
    expect(told.body).toEqual({
      'entity-type': 'exception',
      status: 503,
      requestId: 'mine',
      message: 'The server is overloaded. Try again soon.',
    });
    expect([inside.length, refused, waits]).toEqual([most, 1, [expect.closeTo(2.001)]]);
    inside[0]?.end();
    await knock();
    await until(() => inside.length === most + 1);
  });

  test('limits reads and writes separately', async () => {
    await enter(mostWrites, write);
    await knock('/writes', write);
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await enter(1, { method });
    await enter(most - 3);
    await knock('/reads');
    inside[0]?.end();
    await until(() => inside.length === mostWrites + most + 1);
    inside[mostWrites]?.end();
    await until(() => inside.length === mostWrites + most + 2);
    expect(addresses().slice(-2)).toEqual(['/writes', '/reads']);
  });

  test('drops a waiting request when its client disconnects', async () => {
    await enter(most);
    const leaving = new AbortController();
    await knock('/left', { signal: leaving.signal });
    await knock('/stayed');
    leaving.abort();
    await until(() => knocked[most]?.socket.destroyed === true);
    inside[0]?.end();
    await until(() => inside.length === most + 1);
    pass(2_001);
    await wait(100);
    expect(addresses().slice(most)).toEqual(['/stayed']);
    expect([refused, waits.length]).toEqual([0, 1]);
  });

  test('drops pipelined requests when their connection ends', async () => {
    await enter(most);
    const socket = connect(port(), '127.0.0.1').on('error', () => {});
    socket.write('GET /one HTTP/1.1\r\nHost: h\r\n\r\nGET /two HTTP/1.1\r\nHost: h\r\n\r\n');
    await until(() => knocked.length === most + 2);
    await knock('/other');
    socket.destroy();
    await until(() => knocked[most]?.socket.destroyed === true);
    for (const response of inside.slice()) response.end();
    await until(() => inside.length > most);
    await wait(100);
    expect(addresses().slice(most)).toEqual(['/other']);
  });

  test('refuses writes at once when waiting ones take too much memory, but not reads', async () => {
    await enter(mostWrites, write);
    await enter(most);
    await begin(Math.floor(64_000_000 / 84_000), 1_000_000);
    expect(refused).toBe(0);
    const { answer } = await knock('/', { method: 'POST', body: 'x'.repeat(100_000) });
    const { status, headers: given } = await readAnswer(answer);
    expect([status, given['retry-after'], refused, waits.length]).toEqual([503, '5', 1, 0]);
    inside[0]?.end();
    await until(() => addresses().includes('/slow'));
    await begin(1, 1_000_000);
    await knock('/read');
    inside[mostWrites]?.end();
    await until(() => addresses().includes('/read'));
    expect(refused).toBe(1);
  });

  test('admits health checks beyond the limit', async () => {
    await enter(most);
    const { answer } = await knock('/health/live');
    await until(() => inside.length === most + 1);
    inside.at(-1)?.end('up');
    expect(await (await answer).text()).toBe('up');
    expect([refused, waits.length]).toEqual([0, 0]);
  });

  test('answers 429 with Retry-After, after a delay, to addresses with too many failed log-ins', async () => {
    await enter(most);
    barred = 17;
    const began = Date.now();
    const { status, headers: given, body } = await readAnswer(fetch(url()));
    expect(Date.now() - began).toBeGreaterThan(450);
    expect(status).toBe(429);
    expect(given).toMatchObject({ 'retry-after': '17', 'x-usual': 'yes' });
    expect(body).toEqual({
      'entity-type': 'exception',
      status: 429,
      requestId: given['x-request-id'],
      message: 'Too many failed sign-ins; try again in 17 s.',
    });
    expect([inside.length, refused, waits.length]).toEqual([most, 0, 0]);
  });

  test('does not count requests whose bodies are still being received', async () => {
    const slow = await begin(mostWrites - 1, 2);
    await enter(mostWrites, write);
    await knock('/waits', write);
    for (const request of slow) request.end('b');
    await until(() => inside.every(({ req }) => req.complete));
    for (const response of inside.slice(0, mostWrites - 1)) response.end();
    await wait(100);
    expect(inside).toHaveLength(2 * mostWrites - 1);
    inside[mostWrites]?.end();
    await until(() => addresses().at(-1) === '/waits');
  });

  test('does not count requests whose answers are being sent', async () => {
    await enter(most);
    await knock('/first');
    inside[0]?.writeHead(200).write('the first of many');
    await until(() => inside.length === most + 1);
    expect(addresses().at(-1)).toBe('/first');
    expect(refused).toBe(0);
  });

  test('counts a request for ten seconds after its client disconnected, or until its answer', async () => {
    const leaving = new AbortController();
    await enter(most, { signal: leaving.signal });
    leaving.abort();
    await until(() => inside.every(({ closed }) => closed));
    await knock('/first');
    await wait(100);
    expect(inside).toHaveLength(most);
    inside[0]?.end('nobody hears this');
    await until(() => inside.length === most + 1);
    await knock('/second');
    pass(10_001);
    await until(() => inside.length === most + 2);
    await enter(most - 2);
    expect(refused).toBe(0);
  });
});
