import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { blobIn, createBinary, createFile, createHello, download, textIn } from './blob-requests.ts';

const server = useServer();
let file: DocumentEntity;
let at: string;
beforeAll(async () => {
  ({ file, at } = await createHello(server));
});

describe('RFC 9110 a Range header on a blob', () => {
  test.each([
    ['bytes=0-4', 'hello', 'bytes 0-4/11'],
    ['bytes=6-', 'world', 'bytes 6-10/11'],
    ['bytes=-3', 'rld', 'bytes 8-10/11'],
    ['bytes=10-10', 'd', 'bytes 10-10/11'],
    ['bytes=6-1000', 'world', 'bytes 6-10/11'],
    ['bytes=-1000', 'hello world', 'bytes 0-10/11'],
  ])('%s answers 206', async (range, part, where) => {
    const response = await download(server, at).set('Range', range).expect(206);
    expect(textIn(response)).toBe(part);
    expect(response.headers['content-range']).toBe(where);
    expect(response.headers['content-length']).toBe(String(part.length));
  });

  test.each(['bytes=11-', 'bytes=50-60', 'bytes=-0', 'bytes=4-2'])(
    '%s, which has no byte of the blob, answers 200 with the whole blob',
    async (range) => {
      const response = await download(server, at).set('Range', range).expect(200);
      expect(textIn(response)).toBe('hello world');
      expect(response.headers).not.toHaveProperty('content-range');
    },
  );

  test.each(['bytes=0-1,4-5', 'bytes=0-1,2-3', 'bytes=0-1,50-', 'bytes=a-b', 'lines=0-4', 'nonsense'])(
    '%s, which is not supported, answers 200 with the whole blob',
    async (range) => {
      expect(textIn(await download(server, at).set('Range', range).expect(200))).toBe('hello world');
    },
  );

  test.each(['/@blob', '/@blob/note:note', '/@rendition/xmlExport'])(
    'is honoured for the text of a note at %s',
    async (address) => {
      const { uid } = await createDocument(server, { type: 'Note', properties: { 'note:note': 'a nöte' } });
      const whole = await download(server, `${atId(uid)}${address}`).expect('Accept-Ranges', 'bytes');
      const { length } = whole.body as Buffer;
      const part = await download(server, `${atId(uid)}${address}`)
        .set('Range', 'bytes=2-3')
        .expect(206);
      expect(part.body).toEqual((whole.body as Buffer).subarray(2, 4));
      expect(part.headers['content-range']).toBe(`bytes 2-3/${length}`);
      const head = await server.request.head(`${atId(uid)}${address}`).expect(200);
      expect(head.headers['content-length']).toBe(String(length));
    },
  );

  test('answers 200 for an empty blob', async () => {
    const { uid } = await createFile(server, { content: '' });
    await server.request.get(`/api/v1/id/${uid}/@blob`).set('Range', 'bytes=0-').expect(200);
  });

  test('is honoured with If-Range while the bytes are the same', async () => {
    const { digest } = blobIn(file);
    const partly = download(server, at).set('Range', 'bytes=0-4').set('If-Range', `"${digest}"`);
    expect(textIn(await partly.expect(206))).toBe('hello');
    const whole = download(server, at).set('Range', 'bytes=0-4').set('If-Range', '"other"');
    expect(textIn(await whole.expect(200))).toBe('hello world');
  });

  test('is announced by Accept-Ranges', async () => {
    const { headers } = await server.request.get(at).expect(200);
    expect(headers['accept-ranges']).toBe('bytes');
  });

  test('returns exactly the bytes of generated ranges', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
    const { uid } = await createBinary(server, bytes);
    const index = fc.nat({ max: 999 });
    await fc.assert(
      fc.asyncProperty(index, index, async (one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)];
        const request = download(server, `/api/v1/id/${uid}/@blob`).set('Range', `bytes=${first}-${last}`);
        const { body } = await request.expect(206);
        expect((body as Buffer).equals(bytes.subarray(first, last + 1))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
