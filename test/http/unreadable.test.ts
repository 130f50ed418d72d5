import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refuseUnreadable } from '../../src/http/unreadable.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const served = useServer();
let server: Server;

beforeAll(async () => {
  const impatient = { headersTimeout: 500, requestTimeout: 1_000, connectionsCheckingInterval: 100 };
  server = createServer(impatient, served.app);
  refuseUnreadable(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const lineTo = () => connect((server.address() as AddressInfo).port, '127.0.0.1');

/** What the server answers until it closes the connection. */
const answersTo = (lines: readonly string[]): Promise<string> => {
  const line = lineTo();
  line.write(lines.join('\r\n'), 'latin1');
  return text(line);
};

const start = 'GET /api/v1/path/ HTTP/1.1';
const post = 'POST /api/v1/path/ HTTP/1.1';
const long = 'x'.repeat(20_000);
const chunked = 'Transfer-Encoding: chunked';

describe('§7 a request that is no HTTP', () => {
  test.each([
    ['a header that is too long', 431, [start, 'Host: h', `properties: ${long}`, '', '']],
    [
      'a query that is too long',
      431,
      [`GET /api/v1/search/execute?query=${long} HTTP/1.1`, 'Host: h', '', ''],
    ],
    ['bytes in the address that are not encoded', 400, ['GET /api/v1/path/\xe9 HTTP/1.1', 'Host: h', '', '']],
    ['a space in the address', 400, ['GET /api/v1/path/a b HTTP/1.1', 'Host: h', '', '']],
    ['another verb', 400, ['FETCH /api/v1/path/ HTTP/1.1', 'Host: h', '', '']],
    ['a chunk without a length', 400, [post, 'Host: h', chunked, '', 'zz', '']],
    ['extensions of a chunk that are too long', 413, [post, 'Host: h', chunked, '', `1;${long}`, '']],
    ['headers that do not end', 408, [start, 'Host: h', '']],
  ])('is answered with the error body and disconnected: %s, %i', async (_, status, lines) => {
    const [head = '', body = ''] = (await answersTo(lines)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(head).toContain('\r\nContent-Type: application/json; charset=utf-8; nuxeo-entity=exception\r\n');
    expect(head).toContain(`\r\nContent-Length: ${body.length}\r\n`);
    expect(head).toContain('\r\nConnection: close');
    expect(JSON.parse(body)).toEqual({ 'entity-type': 'exception', status, message: expect.any(String) });
  });

  test('is answered after others of its connection', async () => {
    const line = lineTo();
    let received = '';
    line.on('data', (chunk) => {
      received += chunk;
    });
    line.write(['GET /health/live HTTP/1.1', 'Host: h', '', ''].join('\r\n'));
    await until(() => received.includes('\r\n\r\n'));
    line.write('rubbish\r\n\r\n');
    await once(line, 'close');
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(received).toMatch(/"status":400,"message":"The request is not valid HTTP."\}$/);
  });
});

const bytes = (before: string, after: string) =>
  Buffer.concat([Buffer.from(before), Buffer.from([0xe9]), Buffer.from(after)]); // é in Latin-1

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

test.each([
  ['/graphql', json, bytes('{"query": "{ me { id } }", "variables": {"a": "', '"}}')],
  ['/login', json, bytes('{"username": "ann", "password": "', '"}')],
  ['/oauth2/token', form, bytes('grant_type=refresh_token&refresh_token=', '')],
  ['/site/userInvitation/validate', form, bytes('token=x&Password=', '')],
])('a body that is not UTF-8 is refused at %s', async (address, type, body) => {
  const sent = served.request.post(address).set({ 'Content-Type': type, Accept: json });
  const answer = await sent
    .serialize((raw) => raw as unknown as string)
    .send(body)
    .expect(400);
  expect(JSON.stringify(answer.body)).toContain('The body is not encoded in UTF-8.');
});
