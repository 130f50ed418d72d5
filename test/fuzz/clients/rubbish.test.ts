/** @group slow */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ask } from '../../db/processes.ts';
import { authorization } from '../../support/administrator.ts';
import { use } from '../../support/use.ts';
import { seed } from '../running.ts';
import { soon, startImpatient } from './impatient.ts';
import { file, head, open, statusesIn } from './sockets.ts';

const server = use(startImpatient);
let url: string;
let port: number;
beforeAll(() => {
  ({ url, port } = server);
});
afterEach(() => server.expectWell());

describe('a client that sends invalid HTTP', () => {
  const close = 'Connection: close\r\n';
  const start = 'POST /api/v1/path/ HTTP/1.1\r\nHost: h\r\n';

  test.each([
    ['one header that is too long', `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, [431]],
    ['too many headers', `GET / HTTP/1.1\r\nHost: h\r\n${'X: some value\r\n'.repeat(2_000)}\r\n`, [431]],
    ['an address that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\n\r\n`, [431]],
    ['no Host', `GET /health/live HTTP/1.1\r\n${close}\r\n`, [400]],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
    ['two lengths', `${start}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, [400]],
    [
      'a length and chunks',
      `${start}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX`,
      [400],
    ],
    ['a length that is none', `${start}Content-Length: -1\r\n\r\n`, [400]],
    [
      'a header folded over two lines',
      `GET /health/live HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n${close}\r\n`,
      [400],
    ],
    ['a space before the colon', `${start}Content-Length : 2\r\n\r\n{}`, [400]],
  ])('is answered and disconnected: %s', async (_, bytes, statuses) => {
    const line = await open(port, Buffer.from(bytes, 'latin1'));
    expect(await line.closed).toBeLessThan(soon);
    expect(statusesIn(line.received())).toEqual(statuses);
  });

  test('after a valid request gets at most one answer and is disconnected', async () => {
    const line = await open(port, 'GET /health/live HTTP/1.1\r\nHost: h\r\n\r\nrubbish\r\n\r\n');
    expect(await line.closed).toBeLessThan(soon);
    const statuses = statusesIn(line.received());
    expect(statuses.length).toBeGreaterThan(0);
    for (const status of statuses) expect([200, 400]).toContain(status);
  });

  test('as invalid chunks writes nothing', async () => {
    const body = file('chunks');
    const first = `${start}Authorization: ${authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const line = await open(port, first, `${body.length.toString(16)}\r\n${body}\r\nZZ\r\n\r\n`);
    expect(await line.closed).toBeLessThan(soon);
    expect(statusesIn(line.received())).toEqual([400]);
    expect((await ask(url, '/api/v1/path/chunks')).status).toBe(404);
  });

  test('with any bytes is disconnected', async () => {
    const rubbish = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(fc.nat(120), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(([at, bytes]) => {
        const whole = Buffer.from(head('DELETE', '/path/default-domain'));
        return Buffer.concat([whole.subarray(0, at), Buffer.from(bytes), whole.subarray(at)]);
      }),
    );
    const property = fc.asyncProperty(rubbish, async (bytes) => {
      const line = await open(port, bytes);
      line.socket.end();
      expect(await line.closed).toBeLessThan(soon);
      for (const status of statusesIn(line.received())) expect(status).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns: 200, ...(seed !== undefined && { seed }) });
  });
});
