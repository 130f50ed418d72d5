import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { blobIn } from './blob-requests.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const content = 'the bytes';
let file: DocumentEntity;

beforeAll(async () => {
  file = await createDocument(server, {
    properties: {
      'file:content': { content, name: 'a.txt' },
      'files:files': [{ file: { content: 'other', name: 'b.txt' } }],
    },
  });
});

const at = (rest: string) => `/nxfile/default/${file.uid}${rest}`;

describe('§4.1 GET /nxfile/REPO/UID/XPATH/NAME', () => {
  test.each([
    ['', content],
    ['/', content],
    ['/file:content', content],
    ['/file:content/a.txt', content],
    ['/file:content/any%20name', content],
    ['/blobholder:0/a.txt?changeToken=9-9', content],
    ['/blobholder:1/b.txt', 'other'],
    ['/files:files/0/file/b.txt', 'other'],
  ])('answers the file at %j', async (rest, text) => {
    const response = await server.request.get(at(rest)).set('Accept', 'image/png').expect(200);
    expect(response.text ?? String(response.body)).toBe(text);
    expect(response.headers['content-disposition']).toMatch(/^attachment/);
  });

  test('answers at /nxbigfile, too, whose addresses are taken in bodies', async () => {
    const address = `/nxbigfile/default/${file.uid}/files:files/0/file/b.txt`;
    expect((await server.request.get(address).expect(200)).text).toBe('other');
    const { uid } = await createDocument(server, {
      properties: { 'file:content': { data: `http://localhost${address}` } },
    });
    expect((await server.request.get(`/api/v1/id/${uid}/@blob`).expect(200)).text).toBe('other');
  });

  test('answers as @blob does, with ranges, and inline', async () => {
    const blob = await server.request.get(`/api/v1/id/${file.uid}/@blob/file:content`).expect(200);
    const { headers } = await server.request.get(at('/file:content/a.txt')).expect(200);
    for (const name of ['etag', 'content-type', 'last-modified', 'cache-control', 'accept-ranges'])
      expect([name, headers[name]]).toEqual([name, blob.headers[name]]);
    const part = await server.request.get(at('/file:content/a.txt')).set('Range', 'bytes=0-2').expect(206);
    expect(part.text).toBe('the');
    const inline = await server.request.get(at('/file:content/a.txt?inline=true')).expect(200);
    expect(inline.headers['content-disposition']).toMatch(/^inline/);
    await server.request.head(at('/file:content/a.txt')).expect(200);
  });

  test('needs the permissions of @blob', async () => {
    const closed = await createDocument(server, { properties: { 'file:content': { content } } });
    await setAcl(server, closed.path, [deny('Everyone', 'Everything')]);
    await bob.get(`/nxfile/default/${closed.uid}/file:content/a`).expect(403);
    await server.anonymous.get(at('/file:content/a.txt')).expect(401);
  });

  test.each([
    ['/nxfile', 404],
    ['/nxfile/default', 404],
    ['/nxfile/odd/x/file:content/a', 404],
    ['/nxfile/default/00000000-0000-0000-0000-000000000000/file:content/a', 404],
    ['/nxfile/default/%/file:content/a', 400],
    ['/nxpicsfile/default/x/Small/a', 404],
    ['/nxpicsfile/default/x/%:content/a', 400],
  ])('answers %s with %d', async (path, status) => {
    await server.request.get(path).expect(status);
  });

  test('refuses other places and other methods', async () => {
    await server.request.get(at('/dc:title/a')).expect(404);
    const { headers } = await server.request.put(at('/file:content/a.txt')).expect(405);
    expect(headers.allow).toContain('GET');
  });
});

describe('RFC 3230 other digests', () => {
  test.each([
    ['md5', 'MD5', 'md5'],
    ['sha', 'SHA', 'sha1'],
    ['sha-512, md5;q=0.5', 'SHA-512', 'sha512'],
    ['odd, md5', 'MD5', 'md5'],
  ])('Want-Digest: %s', async (wanted, name, hash) => {
    const digest = createHash(hash).update(content).digest('base64');
    for (const path of [`/api/v1/id/${file.uid}/@blob`, at('/file:content/a.txt')]) {
      const { headers } = await server.request.get(path).set('Want-Digest', wanted).expect(200);
      expect(headers.digest).toBe(`${name}=${digest}`);
    }
  });

  test('are those of the text of a note, too', async () => {
    const note = await createDocument(server, { type: 'Note', properties: { 'note:note': content } });
    const { headers } = await server.request.get(`/api/v1/id/${note.uid}/@blob`).set('Want-Digest', 'md5');
    expect(headers.digest).toBe(`MD5=${createHash('md5').update(content).digest('base64')}`);
  });
});

describe('RFC 9110 If-Modified-Since', () => {
  test('is answered by 304 when the document has not changed since', async () => {
    const path = at('/file:content/a.txt');
    const { headers } = await server.request.get(path).expect(200);
    const modified = headers['last-modified'] ?? '';
    expect(new Date(modified).getTime()).toBe(
      Math.floor(Date.parse(String(file.properties['dc:modified'])) / 1000) * 1000,
    );
    await server.request.get(path).set('If-Modified-Since', modified).expect(304);
    await server.request.get(path).set('If-Modified-Since', new Date(0).toUTCString()).expect(200);
    const other = { 'If-Modified-Since': modified, 'If-None-Match': `"${blobIn(file).digest}x"` };
    await server.request.get(path).set(other).expect(200);
  });

  test('is ignored for what is made of a document', async () => {
    const { headers } = await server.request.get(`/api/v1/id/${file.uid}/@rendition/thumbnail`).expect(200);
    expect(headers).not.toHaveProperty('last-modified');
  });
});
