import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '../../support/requests.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';
import { useUser } from '../../support/users.ts';

/** What another server answers, by path. */
const answers: Record<string, RequestListener> = {
  '/files/a%20b.txt': (_, response) =>
    response.setHeader('Content-Type', 'text/plain; charset=utf-8').end('some text'),
  '/files/large': (_, response) => response.end('x'.repeat(2_000)),
  '/files/broken': (_, response) => {
    response.setHeader('Content-Length', '10').write('half');
    setTimeout(() => response.destroy(), 20);
  },
  '/files/moved': (_, response) => response.writeHead(302, { Location: '/files/a%20b.txt' }).end(),
  '/files/out': (_, response) => response.writeHead(302, { Location: '/secret/x' }).end(),
  '/files/inner': (_, response) => response.writeHead(307, { Location: inner }).end(),
  '/files/round': (_, response) => response.writeHead(301, { Location: '/files/round' }).end(),
};

/** Another address of this computer, which is allowed as a beginning, but not as an address. */
const inner = 'http://127.0.0.2:1/x';

const asked: string[] = [];
const http = createServer((request, response) => {
  asked.push(request.url ?? '');
  const answer = answers[request.url ?? ''];
  if (answer) answer(request, response);
  else response.writeHead(404).end();
});
let origin = '';
const listening = new Promise<void>((resolve) => {
  http.listen(0, '127.0.0.1', () => {
    origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    resolve();
  });
});
const server: TestServer = use(async () => {
  await listening;
  return startServer({
    BLOB_URLS: `${origin}/files/, http://127.0.0.2/, http://127.0.0.2:1, http://nosuch.invalid`,
    WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1',
    UPLOAD_LIMIT: '1kb',
  });
});
const bob = useUser(server, 'bob');
beforeAll(() => listening);
afterAll(() => void http.close());

const fetchFile = (file: string, params = {}, request = server.request) =>
  call(request, 'Blob.CreateFromURL', { params: { file, ...params } });

describe("'Blob.CreateFromURL'", () => {
  test('answers the file with its name and type, whatever redirects lead to it', async () => {
    for (const path of ['/files/a%20b.txt', '/files/moved']) {
      const { text, headers } = await fetchFile(origin + path).expect(200);
      expect(text).toBe('some text');
      expect(headers['content-type']).toMatch(/^text\/plain/);
      expect(headers['content-disposition']).toContain('a b.txt');
    }
    const given = { filename: 'c.csv', 'mime-type': 'text/csv', encoding: 'UTF-8' };
    const { headers } = await call(server.request, 'Blob.Create', {
      params: { file: `${origin}/files/a%20b.txt`, ...given },
    }).expect(200);
    expect(headers['content-type']).toMatch(/^text\/csv/);
    expect(headers['content-disposition']).toContain('c.csv');
  });

  test('needs an administrator', async () => {
    await fetchFile(`${origin}/files/a%20b.txt`, {}, bob).expect(404);
  });

  test.each([
    [() => `${origin}/secret/x`, /begins with none of the addresses that BLOB_URLS names$/],
    [() => `${origin}/files/../secret/x`, /BLOB_URLS/],
    [() => `${origin.replace('http://', 'http://files@')}/files/moved`, /BLOB_URLS/],
    [() => `${origin}/files/out`, /\/secret\/x begins with none/],
    [() => 'file:///etc/passwd', /BLOB_URLS/],
    [() => 'nothing', /^file: nothing is no URL$/],
    [() => inner, /127\.0\.0\.2 is no public address/],
    [() => `${origin}/files/inner`, /127\.0\.0\.2 is no public address/],
    [() => 'http://nosuch.invalid/x', /cannot be fetched/],
    [() => `${origin}/files/none`, /\/files\/none answered 404$/],
    [() => `${origin}/files/large`, /larger than 1024 bytes, UPLOAD_LIMIT$/],
    [() => `${origin}/files/broken`, /cannot be fetched/],
    [() => `${origin}/files/round`, /redirects more than 3 times$/],
  ])('refuses %s', async (address, message) => {
    const { body } = await fetchFile(address()).expect(400);
    expect(body.message).toMatch(message);
    expect(asked).not.toContain('/secret/x');
  });

  test('refuses a call without an address, and a media type that is none', async () => {
    await call(server.request, 'Blob.CreateFromURL').expect(400);
    await fetchFile(`${origin}/files/moved`, { 'mime-type': 'odd' }).expect(400);
  });
});
