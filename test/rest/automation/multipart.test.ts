/** @group slow */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocument } from '../../support/documents.ts';
import { asBytes, asText } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import {
  bodyOf,
  boundary,
  filePart,
  jsonPart,
  type Kind,
  type SentPart,
  sendBody,
} from './multipart-bodies.ts';

const server = useServer({ BODY_LIMIT: '2kb', UPLOAD_LIMIT: '300kb' });

const kinds: readonly Kind[] = ['form-data', 'related'];
const at = (operation: string) => server.request.post(`/api/v1/automation/${operation}`);
const attach = (kind: Kind, parts: readonly SentPart[]) =>
  asText(sendBody(at('Blob.AttachOnDocument'), kind, bodyOf(parts)));
const blobOf = async (uid: string) =>
  (await server.request.get(`/api/v1/id/${uid}`).expect(200)).body.properties['file:content'];
const bytesOf = async (uid: string): Promise<Buffer> =>
  (await asBytes(server.request.get(`/api/v1/id/${uid}/@blob`)).expect(200)).body;

describe.each(kinds)('§4.7 a body of multipart/%s', (kind) => {
  test('transports any bytes under any file name unchanged', async () => {
    const { uid } = await createDocument(server);
    const params = jsonPart(kind, { params: { document: uid } });
    // The name is a single path segment, as browsers send it.
    const name = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 60 })
      .filter((text) => !/[/\\\p{Cc}\p{Cs}]/u.test(text));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ minLength: 60_000, maxLength: 140_000 }),
      fc.constantFrom(`\r\n--${boundary}`, '\r\n\r\n--', '-').map((text) => Buffer.from(text.slice(0, -1))),
    );
    const type = 'application/x-any'; // Random bytes can contradict a known type.
    const property = fc.asyncProperty(name, bytes, async (file, content) => {
      await attach(kind, [params, filePart(kind, file, content, type)]).expect(200);
      expect(await blobOf(uid)).toMatchObject({
        name: file,
        'mime-type': type,
        length: String(content.length),
      });
      expect((await bytesOf(uid)).equals(content)).toBe(true);
    });
    await fc.assert(property, { numRuns: 15 });
  });

  test('tells the media type by the file name where a part has an empty one', async () => {
    const { uid } = await createDocument(server);
    const params = jsonPart(kind, { params: { document: uid } });
    await attach(kind, [params, filePart(kind, 'a.css', Buffer.from('a'), '')]).expect(200);
    expect(await blobOf(uid)).toMatchObject({ name: 'a.css', 'mime-type': 'text/css' });
  });

  test('appends several blobs to a list, in their order', async () => {
    const { uid } = await createDocument(server, {
      properties: { 'files:files': [{ file: { content: 'zero' } }] },
    });
    const params = jsonPart(kind, { params: { document: uid, xpath: 'files:files' } });
    const files = ['one', 'two', ''].map((text) => filePart(kind, `${text}.txt`, Buffer.from(text)));
    const { headers } = await attach(kind, [params, ...files]).expect(200);
    expect(headers['content-type']).toMatch(/^multipart\/mixed/);
    const { body } = await server.request.get(`/api/v1/id/${uid}`).expect(200);
    const found = body.properties['files:files'].map(({ file }: { file: { name: string } }) => file.name);
    expect(found).toEqual([null, 'one.txt', 'two.txt', '.txt']);
    expect(await server.database.prisma.documentBlob.count({ where: { documentId: uid } })).toBe(4);
  });

  test('carries at most 1,000 files, and stores none of a call with more', async () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, index) => filePart(kind, `${index}`, Buffer.from([index % 256])));
    const { uid } = await createDocument(server);
    const params = jsonPart(kind, { params: { document: uid, xpath: 'files:files' } });
    const filesOf = async (): Promise<unknown[]> =>
      (await server.request.get(`/api/v1/id/${uid}`).expect(200)).body.properties['files:files'];
    const refused = await attach(kind, [params, ...files(1001)]).expect(400);
    expect(JSON.stringify(refused.body)).toContain('a call can have at most 1000 files');
    expect(await filesOf()).toEqual([]);
    await attach(kind, [params, ...files(1000)]).expect(200);
    expect(await filesOf()).toHaveLength(1000);
  });

  test.each<[string, readonly SentPart[], string | undefined, RegExp]>([
    ['no boundary at all', [], 'text', /ends before its last boundary\.$/],
    [
      'no part',
      [],
      `--${boundary}--\r\n`,
      /^The body must contain a part with the JSON of the call, named params/,
    ],
    [
      'no JSON',
      [filePart(kind, 'a.txt', Buffer.from('x')), filePart(kind, 'a.json', Buffer.from('{}'))],
      undefined,
      /^The body must contain a part with the JSON of the call, named params/,
    ],
    ['bad JSON', [jsonPart(kind, '{"params":')], undefined, /JSON/],
    ['JSON that is no object', [jsonPart(kind, '[]')], undefined, /^The body must be a JSON object\.$/],
    [
      'JSON that is not UTF-8',
      [{ ...jsonPart(kind, ''), bytes: Buffer.from([0x22, 0xff, 0x22]) }],
      undefined,
      /not encoded in UTF-8\.$/,
    ],
    [
      'no end',
      [jsonPart(kind, {}), filePart(kind, 'a.txt', Buffer.from('cut o'))],
      '',
      /ends before its last boundary\.$/,
    ],
    ['half a boundary', [jsonPart(kind, {})], '\r\n--the-bou', /ends before its last boundary\.$/],
    [
      'a part that is no more than a line',
      [jsonPart(kind, {}), { headers: [], bytes: Buffer.alloc(0) }],
      undefined,
      /./,
    ],
    [
      'bytes in letters',
      [jsonPart(kind, {}), { headers: ['Content-Transfer-Encoding: base64'], bytes: Buffer.from('eA==') }],
      undefined,
      /^Content-Transfer-Encoding: "base64" is not supported/,
    ],
    [
      'a type that is none',
      [jsonPart(kind, {}), filePart(kind, 'a', Buffer.from('x'), 'nonsense')],
      undefined,
      /^Content-Type: "nonsense" is not a media type\.$/,
    ],
  ])('with %s is 400', async (_, parts, end, message) => {
    const { body } = await sendBody(at('Blob.AttachOnDocument'), kind, bodyOf(parts, end)).expect(400);
    expect(body).toMatchObject({
      'entity-type': 'exception',
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  test('calls operations without blobs, but is 400 with an additional part', async () => {
    const json = jsonPart(kind, { input: '/default-domain/workspaces' });
    const { body } = await sendBody(at('Document.GetParent'), kind, bodyOf([json])).expect(200);
    expect(body.path).toBe('/default-domain');
    await sendBody(at('Log'), kind, bodyOf([jsonPart(kind, { params: { message: 'x' } })])).expect(204);
    const more = bodyOf([json, filePart(kind, 'a', Buffer.from('x'))]);
    const { body: fault } = await sendBody(at('Document.GetParent'), kind, more).expect(400);
    expect(fault.message).toBe(
      'The operation does not accept files here; the body must contain only the JSON of the call.',
    );
  });

  test('is 413 above UPLOAD_LIMIT, or with JSON above BODY_LIMIT', async () => {
    const sent = (parts: readonly SentPart[]) => sendBody(at('Blob.AttachOnDocument'), kind, bodyOf(parts));
    const much = [jsonPart(kind, {}), filePart(kind, 'a', Buffer.alloc(310_000))];
    const { body } = await sent(much).expect(413);
    expect(body.message).toBe('The body must not exceed 307200 bytes (UPLOAD_LIMIT).');
    const long = jsonPart(kind, { context: { text: 'x'.repeat(2_100) } });
    expect((await sent([long]).expect(413)).body.message).toMatch(/2048 bytes \(BODY_LIMIT\)\.$/);
  });
});

describe('§4.7 the names and types of parts', () => {
  const content = Buffer.from('<p>');
  const received = async (headers: readonly string[], kind: Kind = 'form-data') => {
    const { uid } = await createDocument(server);
    await attach(kind, [jsonPart(kind, { params: { document: uid } }), { headers, bytes: content }]).expect(
      200,
    );
    const { name, 'mime-type': type, encoding } = await blobOf(uid);
    return [name, type, encoding];
  };

  test.each<[readonly string[], Array<string | null>]>([
    [[], ['blob.txt', 'text/plain', null]],
    [['Content-Type: text/html; charset=utf-8'], ['blob.html', 'text/html', 'utf-8']],
    [['Content-Disposition: form-data; name="input"; filename="a.html"'], ['a.html', 'text/html', null]],
    [['Content-Disposition: form-data; name=x; filename=a.html'], ['a.html', 'text/html', null]],
    [['Content-Disposition: form-data; name="input"; filename=""'], ['blob.txt', 'text/plain', null]],
    [['Content-Disposition: form-data; filename="C:\\dir\\a.txt"'], ['a.txt', 'text/plain', null]],
    [['Content-Disposition: form-data; filename="../../etc/a.txt"'], ['a.txt', 'text/plain', null]],
    [['Content-Disposition: form-data; filename="a%22b.txt"'], ['a"b.txt', 'text/plain', null]],
    [['Content-Disposition: form-data; filename="%41.txt"'], ['%41.txt', 'text/plain', null]],
    [
      ['content-disposition:form-data;', ' filename="folded.txt"'],
      ['folded.txt', 'text/plain', null],
    ],
    [['Content-Disposition: form-data; filename="x"; filename*=utf-8\'\'%C3%A9'], ['é', 'text/plain', null]],
    [
      ['Content-Type: application/x-own; a=b', 'Content-Disposition: form-data; filename="é\u0001.txt"'],
      ['é_.txt', 'application/x-own;a=b', null],
    ],
  ])('follow from the headers %j', async (headers, expected) => {
    expect(await received(headers)).toEqual(expected);
  });

  test('read a backslash in a file name as an escape outside forms', async () => {
    const [name] = await received(['Content-Disposition: attachment; filename="a\\"b.txt"'], 'related');
    expect(name).toBe('a"b.txt');
  });
});

describe('§4.7 other media types of a call', () => {
  const json = JSON.stringify({ params: { value: '/default-domain' } });

  test('a form contains the JSON in its field jsondata', async () => {
    const { body } = await at('Document.Fetch').type('form').send({ jsondata: json }).expect(200);
    expect(body.path).toBe('/default-domain');
    await at('Document.Fetch').field('jsondata', json).expect(200);
    await at('Document.Fetch').field('request', json).expect(200);
  });

  test.each([
    ['another=1', /^The form must have exactly one field "jsondata"/],
    ['jsondata={}&jsondata={}', /^The form must have exactly one field "jsondata"/],
    ['jsondata={', /JSON/],
    ['jsondata=1', /^The body must be a JSON object\.$/],
  ])('a form with %s is 400', async (form, message) => {
    const { body } = await at('Document.Fetch').type('form').send(form).expect(400);
    expect(body.message).toMatch(message);
  });

  test('a form without the field of the JSON is 400', async () => {
    await at('Document.Fetch').field('other', json).expect(400);
  });

  test('a missing boundary is 400, and compressed parts are 415', async () => {
    const typed = (type: string) => at('Log').set('Content-Type', type).send('--x--');
    expect((await typed('multipart/form-data').expect(400)).body.message).toBe(
      'Content-Type must contain the boundary, or the body must begin with it.',
    );
    await typed('multipart/form-data; boundary=x').set('Content-Encoding', 'gzip').expect(415);
  });

  test('documents are created from forms with a part for them, but not from calls and other forms', async () => {
    const document = server.request.post('/api/v1/path/default-domain');
    expect((await document.field('params', '{}').expect(400)).body.message).toBe(
      'The body must contain a part with the JSON of the document, named document.',
    );
    const changed = server.request.put('/api/v1/path/default-domain').field('document', '{}');
    expect((await changed.expect(415)).body.message).toBe('The body must be application/json.');
    await server.request.post('/api/v1/path/default-domain').type('form').send('a=b').expect(415);
  });
});
