import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'content-disposition';
import fc from 'fast-check';
import { type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { blobIn, createBinary, createFile, createHello, download } from './blob-requests.ts';

const sandboxed = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'";

const server = useServer();
let file: DocumentEntity;
let at: string;
beforeAll(async () => {
  ({ file, at } = await createHello(server));
});

describe('RFC 3230 the Digest header of a blob', () => {
  const digestFor = async (wanted: string, range = 'none') => {
    const asked = server.request.get(at).set('Want-Digest', wanted).set('Range', range);
    return (await asked).headers.digest;
  };
  const digest = () => `SHA-256=${Buffer.from(blobIn(file).digest, 'hex').toString('base64')}`;

  test.each([
    'sha-256',
    'SHA-256',
    'md5, sha-256',
    'md5;q=0.2, sha-256;q=0.5',
    'sha-256;q=1.0,md5;q=0.1',
    'sha-512;q=0, sha-256',
  ])('is sent for Want-Digest: %s, with a range as well', async (wanted) => {
    expect(await digestFor(wanted)).toBe(digest());
    expect(await digestFor(wanted, 'bytes=0-1')).toBe(digest());
  });

  test.each(['crc32c', 'sha-2560', 'sha-256;q=0', 'sha-256;q=0.0', ''])(
    'is not sent for Want-Digest: %j',
    async (wanted) => {
      expect(await digestFor(wanted)).toBeUndefined();
    },
  );

  test('is not sent unless it is asked for', async () => {
    expect((await server.request.get(at).expect(200)).headers).not.toHaveProperty('digest');
  });
});

describe('§4.1 caching of a blob', () => {
  test('uses the digest as ETag and requires revalidation', async () => {
    const { headers } = await server.request.get(at).expect(200);
    expect(headers.etag).toBe(`"${blobIn(file).digest}"`);
    expect(headers['cache-control']).toMatch(/^private, no-cache(, |$)/);
    expect(headers.vary).toContain('Authorization');
  });

  test.each(['*', '"other", DIGEST', 'W/DIGEST', 'DIGEST'])(
    'answers 304 to If-None-Match: %s',
    async (tags) => {
      const digest = `"${blobIn(file).digest}"`;
      const response = await server.request.get(at).set('If-None-Match', tags.replace('DIGEST', digest));
      expect(response.status).toBe(304);
      expect(response.text).toBe('');
      expect(response.headers.etag).toBe(digest);
    },
  );

  test('answers 304 with Cache-Control: no-cache too, which Node adds to conditions', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await server.request.get(at).expect(200)).headers;
    for (const condition of [{ 'If-None-Match': etag }, { 'If-Modified-Since': modified }]) {
      const headers = { ...condition, 'Cache-Control': 'no-cache', Pragma: 'no-cache' };
      await server.request.get(at).set(headers).expect(304);
      await server.request.head(at).set(headers).expect(304);
    }
    const other = { 'If-None-Match': '"other"', 'If-Modified-Since': modified };
    await server.request.get(at).set(other).expect(200); // RFC 9110, 13.1.3: the date is ignored
  });

  test('answers 200 to If-None-Match with another tag', async () => {
    await server.request.get(at).set('If-None-Match', '"other"').expect(200);
  });

  test('answers 200 to If-None-Match when the bytes have changed', async () => {
    const { uid, ...before } = await createFile(server, { content: 'one' });
    const held = `"${blobIn({ uid, ...before }).digest}"`;
    await updateDocument(server.request, uid, { 'file:content': { content: 'two' } }).expect(200);
    await server.request.get(`/api/v1/id/${uid}/@blob`).set('If-None-Match', held).expect(200);
  });

  test('answers 412 to If-Match with another tag', async () => {
    const { headers, body } = await server.request.get(at).set('If-Match', '"other"').expect(412);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 412 });
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  test('answers 200 to If-Match with the tag of the blob', async () => {
    await server.request
      .get(at)
      .set('If-Match', `"${blobIn(file).digest}"`)
      .expect(200);
  });
});

describe('RFC 6266 the Content-Disposition header of a blob', () => {
  const dispositionOf = async (name: string | null, query = '') => {
    const { uid } = await createBinary(server, Buffer.from('x'), { name });
    const { headers } = await server.request.get(`/api/v1/id/${uid}/@blob${query}`).expect(200);
    return headers['content-disposition'] ?? '';
  };

  test('is an attachment with the name of the blob', async () => {
    expect(await dispositionOf('hello.txt')).toMatch(/^attachment; filename="?hello\.txt"?$/);
  });

  test.each([
    ['?inline=true', 'inline'],
    ['?inline=false', 'attachment'],
    ['?inline=', 'attachment'],
    ['?inline=1', 'attachment'],
  ])('with %s is %s', async (query, type) => {
    expect(parse(await dispositionOf('hello.txt', query)).type).toBe(type);
  });

  test.each([
    'grüße.txt',
    '日本.txt',
    '😀.png',
    'a "b".txt',
    "it's.txt",
    'a;b=c.txt',
    '100%25.txt',
    'a\u2028b.txt',
  ])('preserves the name %j', async (name) => {
    expect(parse(await dispositionOf(name)).parameters.filename).toBe(name);
  });

  test.each([
    ['a\r\nX-Evil: 1.txt', 'a__X-Evil: 1.txt'],
    ['a\tb\u0085.txt', 'a_b_.txt'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
  ])('replaces unsafe parts of the name %j: %j', async (name, shown) => {
    expect(parse(await dispositionOf(name)).parameters.filename).toBe(shown);
  });

  test.each([null, '', 'folder/'])('has no file name for the name %j', async (name) => {
    expect(await dispositionOf(name)).toBe('attachment');
  });

  test('cuts a long name to 255 bytes and keeps its extension', async () => {
    const shown = parse(await dispositionOf(`${'ü'.repeat(100_000)}.pdf`)).parameters.filename ?? '';
    expect(shown).toMatch(/^ü+\.pdf$/);
    expect(Buffer.byteLength(shown)).toBeGreaterThan(250);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(255);
  });

  test('is valid for generated names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (given) => {
        const name = given.replaceAll('\0', '');
        const { parameters, type } = parse(await dispositionOf(name));
        expect(type).toBe('attachment');
        expect(parameters.filename ?? '').not.toMatch(/[\p{Cc}/\\]/u);
      }),
      { numRuns: 25 },
    );
  });
});

describe('other headers of a blob', () => {
  test('forbid sniffing and scripts', async () => {
    const { uid } = await createFile(server, { content: '<script>', 'mime-type': 'text/html' });
    const { headers } = await server.request.get(`/api/v1/id/${uid}/@blob?inline=true`).expect(200);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toBe(sandboxed);
  });

  const policyOf = async (mimeType: string, query: string) => {
    const { uid } = await createBinary(server, Buffer.from('x'), { mimeType });
    const { headers } = await server.request.get(`/api/v1/id/${uid}/@blob${query}`).expect(200);
    return headers['content-security-policy'] ?? '';
  };

  test.each([
    'image/png',
    'image/jpeg; q=1',
    'audio/mpeg',
    'video/mp4',
    'application/pdf',
    'text/plain',
    'TEXT/PLAIN; charset=utf-8',
  ])('let the viewers of browsers show %s in a frame of this server', async (mimeType) => {
    const policy = await policyOf(mimeType, '?inline=true');
    expect(policy).toMatch(/^default-src 'none';.*frame-ancestors 'self'$/);
    expect(policy).not.toContain('sandbox');
    expect(policy).not.toContain('script-src');
    expect(await policyOf(mimeType, '')).toBe(sandboxed);
  });

  test.each([
    'text/html',
    'text/plain+html',
    'image/svg+xml',
    'IMAGE/SVG+XML',
    'image/x+xml',
    'image/svg',
    'application/xhtml+xml',
    'application/pdfx',
    'text/xml',
    'text/javascript',
    'application/octet-stream',
    'no type; application/pdf',
    'text/plain, text/html',
    'text/plain; a=b, text/html',
  ])('confine %s to a sandbox', async (mimeType) => {
    expect(await policyOf(mimeType, '?inline=true')).toBe(sandboxed);
  });

  test.each([
    ['text/csv', 'ISO-8859-1', 'text/csv; charset=ISO-8859-1'],
    ['text/csv; charset=utf-16', 'UTF-8', 'text/csv; charset=utf-16'],
    ['text/csv', null, 'text/csv'],
    ['application/json', null, 'application/json'],
    ['image/png', 'UTF-8', 'image/png'],
  ])('give for %s in %s the Content-Type %s', async (mimeType, encoding, type) => {
    const { uid } = await createBinary(server, Buffer.from('1'), { mimeType, encoding });
    const { headers } = await download(server, `/api/v1/id/${uid}/@blob`).expect(200);
    expect(headers['content-type']).toBe(type);
  });
});
