/** @group slow */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { zipSync } from 'fflate';
import { createDocument } from '../../support/documents.ts';
import { runJobs } from '../../support/jobs.ts';
import { asBytes, call } from '../../support/requests.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';
import { beginUpload, cut, send, uploaded } from '../uploads/upload-requests.ts';

interface Sent {
  readonly content: Buffer;
  readonly name: string;
  readonly type: string | undefined;
}

/** What a server that files are fetched from answers next. */
let answered: Sent | undefined;
const http = createServer((_, response) => {
  if (answered?.type) response.setHeader('Content-Type', answered.type);
  response.end(answered?.content);
});
const server: TestServer = use(async () => {
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return startServer({ BLOB_URLS: origin, WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.0/8' });
});
afterAll(() => {
  http.close();
});

const typeOf = async (uid: string, xpath = 'file:content'): Promise<string> =>
  (await server.request.get(`/api/v1/id/${uid}`).expect(200)).body.properties[xpath]['mime-type'];

const newFile = async () => (await createDocument(server, { type: 'File' })).uid;

const withUpload = async (sent: readonly Parameters<typeof send>[3][]): Promise<string> => {
  const batch = await beginUpload(server.request);
  for (const each of sent) await send(server.request, batch, 0, each);
  const properties = { 'file:content': uploaded(batch, 0) };
  return typeOf((await createDocument(server, { type: 'File', properties })).uid);
};

const attached = async ({ content, name, type }: Sent): Promise<string> => {
  const uid = await newFile();
  const blobs = [{ content, name, ...(type !== undefined && { type }) }];
  await call(server.request, 'Blob.AttachOnDocument', { params: { document: uid }, blobs }).expect(200);
  return typeOf(uid);
};

const bare = ({ type, ...sent }: Sent) => ({ ...sent, ...(type !== undefined && { type }) });

const waysIn: Readonly<Record<string, (sent: Sent) => Promise<string>>> = {
  'an upload': (sent) => withUpload([bare(sent)]),
  'an upload in chunks': ({ content, name, type }) =>
    withUpload(cut(content, 2, name).map((chunk) => ({ ...chunk, ...(type !== undefined && { type }) }))),
  'the input of an operation': attached,
  'a part of a form': async ({ content, name, type }) => {
    const uid = await newFile();
    await server.request
      .put(`/api/v1/id/${uid}/@blob/file:content`)
      .attach('file', content, { filename: name, contentType: type ?? 'application/octet-stream' })
      .expect(200);
    return typeOf(uid);
  },
  'a body': async ({ content, name, type }) => {
    const uid = await newFile();
    const sent = server.request.put(`/api/v1/id/${uid}/@blob/file:content`).set('X-File-Name', name);
    await sent
      .set('Content-Type', type ?? 'application/octet-stream')
      .send(content)
      .expect(200);
    return typeOf(uid);
  },
  'FileManager.Import': async ({ content, name, type }) => {
    const { path } = await createDocument(server, { type: 'Folder' });
    const { body } = await call(server.request, 'FileManager.Import', {
      context: { currentDocument: path },
      blobs: [{ content, name, type: type ?? 'application/octet-stream' }],
    }).expect(200);
    return body.type === 'Note' ? body.properties['note:mime_type'] : typeOf(body.uid);
  },
  'Blob.CreateFromURL': async (sent) => {
    answered = sent;
    const file = `http://127.0.0.1:${(http.address() as AddressInfo).port}/x`;
    const { headers } = await asBytes(
      call(server.request, 'Blob.CreateFromURL', { params: { file, filename: sent.name } }),
    ).expect(200);
    return (headers['content-type'] ?? '').split(';')[0] ?? '';
  },
};

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const zip = Buffer.from(zipSync({ 'a.txt': Buffer.from('text') }));
const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
const docx = Buffer.from(
  zipSync({
    '[Content_Types].xml': Buffer.from(
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    'word/document.xml': Buffer.from('<w:document/>'),
  }),
);
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const unknown = 'application/octet-stream';
const utf16 = Buffer.from('Grüße\r\n', 'utf16le');

const files: ReadonlyArray<readonly [what: string, sent: Sent, mimeType: string]> = [
  ['a text', { content: Buffer.from('some text'), name: 'a.txt', type: unknown }, 'text/plain'],
  [
    'a text of no known name',
    { content: Buffer.from('some text'), name: 'a.qqq', type: undefined },
    'text/plain',
  ],
  ['HTML', { content: Buffer.from('<p>one</p>'), name: 'a.html', type: unknown }, 'text/html'],
  ['CSV', { content: Buffer.from('a,b\r\n'), name: 'a.csv', type: unknown }, 'text/csv'],
  ['text in UTF-16', { content: utf16, name: 'a', type: unknown }, 'text/plain'],
  [
    'text with a mark',
    { content: Buffer.concat([Buffer.from('fffe', 'hex'), utf16]), name: 'a', type: unknown },
    'text/plain',
  ],
  ['text in Latin-1', { content: Buffer.from('Grüße', 'latin1'), name: 'a', type: unknown }, 'text/plain'],
  ['TypeScript', { content: Buffer.from('const one = 1;'), name: 'a.ts', type: unknown }, 'text/plain'],
  [
    'text that is said to be a picture',
    { content: Buffer.from('text'), name: 'a.png', type: 'image/png' },
    'text/plain',
  ],
  ['a picture', { content: png, name: 'b.png', type: unknown }, 'image/png'],
  ['a picture that is said to be text', { content: png, name: 'b.txt', type: 'text/plain' }, 'image/png'],
  ['a picture that is said to be another', { content: png, name: 'b.jpg', type: 'image/jpeg' }, 'image/png'],
  ['a picture without a name that helps', { content: png, name: 'b', type: undefined }, 'image/png'],
  [
    'a PDF',
    { content: Buffer.from('%PDF-1.4\n%âãÏÓ\n', 'latin1'), name: 'a.txt', type: unknown },
    'application/pdf',
  ],
  [
    'SVG',
    { content: Buffer.from('<?xml version="1.0"?><svg/>'), name: 'a.svg', type: unknown },
    'image/svg+xml',
  ],
  ['XML', { content: Buffer.from('<?xml version="1.0"?><a/>'), name: 'a', type: unknown }, 'application/xml'],
  ['a Word file without its name', { content: docx, name: 'a', type: unknown }, word],
  ['a zip file', { content: zip, name: 'a', type: unknown }, 'application/zip'],
  [
    'a zip file of another kind',
    { content: zip, name: 'a.ods', type: unknown },
    'application/vnd.oasis.opendocument.spreadsheet',
  ],
  ['an old Excel file', { content: ole, name: 'a.xls', type: unknown }, 'application/vnd.ms-excel'],
  [
    'a file of an application',
    { content: gzipSync('x'), name: 'a.gz', type: 'application/x-own' },
    'application/x-own',
  ],
  ['bytes', { content: Buffer.from([0, 1, 2, 255]), name: 'a', type: undefined }, unknown],
  [
    'a sound in WebM',
    { content: Buffer.from('1a45dfa3934282887765626d42878104', 'hex'), name: 'a.webm', type: 'audio/webm' },
    'audio/webm',
  ],
];

describe('§2.1: the media type of a file does not depend on the way in', () => {
  test.each(files)('%s', async (_, sent, mimeType) => {
    const found: Record<string, string> = {};
    for (const [way, ask] of Object.entries(waysIn)) found[way] = await ask(sent);
    expect(found).toEqual(Object.fromEntries(Object.keys(waysIn).map((way) => [way, mimeType])));
  });
});

describe('§2.1: JSON', () => {
  const made = async (blob: object) =>
    typeOf((await createDocument(server, { type: 'File', properties: { 'file:content': blob } })).uid);

  test.each<[object, string]>([
    [{ content: 'a,b', name: 'a.csv' }, 'text/csv'],
    [{ content: 'text', name: 'a.png' }, 'text/plain'],
    [{ content: '' }, 'text/plain'],
    [{ content: 'text', name: 'a.txt', 'mime-type': 'image/png' }, 'image/png'],
    [{ content: 'text', 'mime-type': unknown }, unknown],
  ])('%j has the media type %s', async (blob, mimeType) => {
    expect(await made(blob)).toBe(mimeType);
  });

  test('a media type in it is taken as it is, with an upload too', async () => {
    const batch = await beginUpload(server.request);
    await send(server.request, batch, 0, { content: png, name: 'b.png' });
    expect(await made({ ...uploaded(batch, 0), 'mime-type': 'application/x-own' })).toBe('application/x-own');
  });

  test('a chunk that comes again does not change the media type of a complete file', async () => {
    const batch = await beginUpload(server.request);
    const chunks = cut(png, 2, 'b');
    for (const chunk of [...chunks, chunks[0] ?? { content: '' }])
      await send(server.request, batch, 0, chunk);
    expect(await made(uploaded(batch, 0))).toBe('image/png');
  });
});

describe('§4.9: what files of the type application/octet-stream are good for', () => {
  test('a PNG that an operation attaches to a Picture gets its views', async () => {
    await runJobs(server);
    const { uid } = await createDocument(server, { type: 'Picture' });
    const blobs = [{ content: png, name: 'b.png', type: unknown }];
    await call(server.request, 'Blob.AttachOnDocument', { params: { document: uid }, blobs }).expect(200);
    await until(async () => {
      const { body } = await server.request.get(`/api/v1/id/${uid}`);
      return body.properties['picture:views'].length > 0;
    });
  });

  test.each(['text/html', 'text/plain'])(
    'a text that an operation attaches is converted to %s',
    async (type) => {
      const uid = await newFile();
      const blobs = [{ content: 'some text', name: 'a.txt', type: unknown }];
      await call(server.request, 'Blob.AttachOnDocument', { params: { document: uid }, blobs }).expect(200);
      const { text } = await server.request
        .get(`/api/v1/id/${uid}/@blob/file:content/@convert?type=${type}`)
        .expect(200);
      expect(text).toContain('some text');
    },
  );
});
