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

/** One address of each range that IANA reserves, or that leads to an address of IPv4 in such a range. */
const specialHosts = `
  0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.2 169.254.169.254 172.31.255.255 192.0.0.8 192.0.2.1
  192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1 198.19.255.255
  198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 0x7f000002 2130706434 0177.0.0.2 [::]
  [::1] [::127.0.0.1] [::8.8.8.8] [::ffff:10.0.0.1] [::ffff:0:10.0.0.1] [64:ff9b::10.0.0.1]
  [64:ff9b::8.8.8.8] [64:ff9b:1::1] [100::1] [100:0:0:1::1] [2001::1] [2001:2::1] [2001:3::1]
  [2001:4:112::1] [2001:10::1] [2001:20::1] [2001:30::1] [2001:1ff:ffff::1] [2001:db8::1]
  [2002:7f00:1::1] [2002:808:808::1] [2620:4f:8000::1] [3fff::1] [4000::1] [5f00::1] [fc00::1]
  [fd00::1] [fe80::1] [fec0::1] [ff02::1]
`
  .trim()
  .split(/\s+/);

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
    BLOB_URLS: `${origin}/files/, http://127.0.0.2/, http://127.0.0.2:1, http://nosuch.invalid, ${specialHosts
      .map((host) => `http://${host}`)
      .join(', ')}`,
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

  test.each([...specialHosts])('refuses %s, which is not an address of the public Internet', async (host) => {
    const { body } = await fetchFile(`http://${host}/x`).expect(400);
    expect(body.message).toMatch(
      / is not a public address, and WEBHOOK_PRIVATE_ADDRESSES does not allow it$/,
    );
  });

  test('needs an administrator', async () => {
    await fetchFile(`${origin}/files/a%20b.txt`, {}, bob).expect(403);
  });

  test.each([
    [() => `${origin}/secret/x`, /^file: BLOB_URLS does not allow /],
    [() => `${origin}/files/../secret/x`, /BLOB_URLS/],
    [() => `${origin.replace('http://', 'http://files@')}/files/moved`, /BLOB_URLS/],
    [() => `${origin}/files/out`, /BLOB_URLS does not allow .*\/secret\/x/],
    [() => 'file:///etc/passwd', /BLOB_URLS/],
    [() => 'nothing', /^file: nothing is not a URL\.$/],
    [() => inner, /127\.0\.0\.2 is not a public address/],
    [() => `${origin}/files/inner`, /127\.0\.0\.2 is not a public address/],
    [() => 'http://nosuch.invalid/x', /cannot be fetched/],
    [() => `${origin}/files/none`, /\/files\/none responded with status 404$/],
    [() => `${origin}/files/large`, /must not exceed 1024 bytes \(UPLOAD_LIMIT\)\.$/],
    [() => `${origin}/files/broken`, /cannot be fetched/],
    [() => `${origin}/files/round`, /redirects more than 3 times\.$/],
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
