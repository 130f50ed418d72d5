/** @group slow */

import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { deny, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { pdfOf } from '../../support/made-files.ts';
import { asBytes, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { createBinary, createFile, createWithFiles } from '../blobs/blob-requests.ts';
import { picture } from './pictures.ts';

const server = useServer();
const bob = useUser(server, 'bob');

type Held = Pick<DocumentEntity, 'uid'>;

const converted = ({ uid }: Held, into: Record<string, string>, below = '') =>
  server.request.get(`${atId(uid)}${below}/@convert`).query(into);

const pdfFile = (text = 'Hello') =>
  createBinary(server, pdfOf(text), { name: 'a.pdf', mimeType: 'application/pdf' });

const namesOf = async ({ uid }: Held): Promise<string[]> => {
  const { body } = await server.request.get(atId(uid)).set('enrichers.document', 'renditions').expect(200);
  return body.contextParameters.renditions.map(({ name }: { name: string }) => name);
};

describe('§10 @convert', () => {
  test.each([
    { type: 'text/plain' },
    { format: 'txt' },
    { converter: 'pdf2text' },
    { converter: 'any2text' },
  ])('answers the text of a PDF for %j', async (into) => {
    const { text, headers } = await converted(await pdfFile(), into).expect(200);
    expect(text.trim()).toBe('Hello');
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(headers['content-disposition']).toContain('a.txt');
  });

  test.each([
    ['text/csv', 'a,b\n1,2\n'],
    ['application/json', '{"a": 1}'],
    ['application/xml', '<a>x</a>'],
    ['text/xml', '<a>x</a>'],
    ['text/plain', 'as it is'],
  ])('answers the characters of %s as text', async (mimeType, content) => {
    const file = await createBinary(server, Buffer.from(content), { name: 'a', mimeType });
    for (const into of [{ type: 'text/plain' }, { converter: 'any2text' }]) {
      const { text, headers } = await converted(file, into).expect(200);
      expect([text, headers['content-type']?.split(';')[0]]).toEqual([content, 'text/plain']);
    }
  });

  test.each(['webp', 'gif', 'tiff', 'png', 'jpeg'] as const)('makes %s of a picture', async (format) => {
    const bytes = await picture(40, 20, format === 'png' ? 'jpeg' : 'png');
    const mimeType = format === 'png' ? 'image/jpeg' : 'image/png';
    const file = await createBinary(server, bytes, { name: 'a', mimeType });
    for (const into of [
      { type: `image/${format}` },
      { format },
      { converter: `image2${format}`, size: '10' },
    ]) {
      const { body, headers } = await asBytes(converted(file, into)).expect(200);
      expect(headers['content-type']).toBe(`image/${format}`);
      const { format: made, width } = await sharp(body).metadata();
      expect([made, width]).toEqual([format, 'size' in into ? 10 : 40]);
    }
  });

  test('answers a PDF as it is to any2pdf', async () => {
    const bytes = pdfOf('Hello');
    const file = await createBinary(server, bytes, { name: 'a.pdf', mimeType: 'application/pdf' });
    const { body } = await asBytes(converted(file, { converter: 'any2pdf' })).expect(200);
    expect(body).toEqual(bytes);
  });

  test.each(['TEXT/PLAIN', 'text/plain; charset=utf-8'])('knows the media type %s', async (type) => {
    expect((await converted(await pdfFile(), { type }).expect(200)).text.trim()).toBe('Hello');
    const html = await createFile(server, { content: '<p>Hi', 'mime-type': 'Text/HTML; charset=utf-8' });
    expect((await converted(html, { type }).expect(200)).text).toBe('Hi');
    const input = html.uid;
    const made = await call(server.request, 'Blob.Convert', { input, params: { mimeType: type } });
    expect([made.status, made.text]).toEqual([200, 'Hi']);
  });

  test('answers a picture as a PDF, and a PDF as it is', async () => {
    const file = await createBinary(server, await picture(600, 300, 'png'), { mimeType: 'image/png' });
    const { body } = await asBytes(converted(file, { format: 'pdf' })).expect(
      'Content-Type',
      'application/pdf',
    );
    expect((body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
    const same = await asBytes(converted(await pdfFile('x'), { type: 'application/pdf' })).expect(200);
    expect(same.body).toEqual(pdfOf('x'));
  });

  test('converts any file of a document, and the text of a note', async () => {
    const files = await createWithFiles(server, ['one']);
    const at = '/@blob/files:files/0/file';
    expect((await converted(files, { type: 'text/plain' }, at).expect(200)).text).toBe('one');
    const page = await createFile(server, { content: '<p>Hi <b>you</b></p>', 'mime-type': 'text/html' });
    expect((await converted(page, { converter: 'html2text' }).expect(200)).text).toBe('Hi you');
    const properties = { 'note:note': '<i>noted</i>', 'note:mime_type': 'text/html' };
    const note = await createDocument(server, { type: 'Note', properties });
    expect((await converted(note, { type: 'text/plain' }).expect(200)).text).toBe('noted');
  });

  test('is made once, and costs one statement more than a download then', async () => {
    const file = await pdfFile('kept');
    await converted(file, { format: 'txt' }).expect(200);
    const again = await converted(file, { format: 'txt' }).expect(200);
    const blob = await server.request.get(`${atId(file.uid)}/@blob`).expect(200);
    expect(statements(again)).toBe(statements(blob) + 1);
  });

  test.each([
    [{}, /One of converter, type and format/],
    [{ converter: 'pdf2wiki' }, /Converter pdf2wiki is not registered/],
    [{ converter: 'html2text' }, /^converter: html2text does not accept files of type application\/pdf\.$/],
    [{ type: 'image/webp' }, /no converter can convert application\/pdf to image\/webp/],
    [{ converter: 'thumbnail' }, /^converter: thumbnail does not accept files of type application\/pdf\.$/],
    [{ converter: 'pdf2png', page: '0' }, /^page must be an integer between 1 and 10000$/],
    [{ converter: 'pdf2png', page: '2' }, /there is no page 2; the file ends at page 1/],
    [
      { converter: 'pdf2pages', firstPage: '1', lastPage: '2' },
      /there are no pages 1 to 2; the file ends at page 1/,
    ],
    [{ type: 'image/heic' }, /no converter can convert application\/pdf to image\/heic/],
    [{ type: 'constructor' }, /no converter can convert application\/pdf to constructor/],
    [{ format: 'nosuch' }, /the extension \.nosuch does not belong to a known media type/],
  ])('answers 400 for %j', async (into, message) => {
    const { body } = await converted(await pdfFile(), into).expect(400);
    expect(body.message).toMatch(message);
  });

  test('answers 400 without a file, and 404 for one that cannot be converted', async () => {
    const { body } = await converted(await createDocument(server), { format: 'pdf' }).expect(400);
    expect(body.message).toMatch(/has no main file$/);
    await converted(await pdfFile(), { format: 'txt' }, '/@blob/files:files/0/file').expect(400);
    await server.request.get('/api/v1/path/no-such/@convert?format=pdf').expect(404);
    const broken = await createBinary(server, Buffer.from('x'), { mimeType: 'application/pdf' });
    await converted(broken, { format: 'txt' }).expect(404);
  });

  test('needs Read', async () => {
    const { path, uid } = await pdfFile();
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    await bob.get(`${atId(uid)}/@convert?format=txt`).expect(403);
    await server.anonymous.get(`${atId(uid)}/@convert?format=txt`).expect(401);
  });
});

describe('a PDF', () => {
  test('has its first page as a thumbnail', async () => {
    const { uid } = await pdfFile();
    const { body } = await asBytes(server.request.get(`${atId(uid)}/@rendition/thumbnail`)).expect(
      'Content-Type',
      'image/jpeg',
    );
    const { width, height } = await sharp(body as Buffer).metadata();
    expect(height).toBe(350);
    expect(width).toBe(Math.floor((612 / 792) * 350));
    const { dominant, channels } = await sharp(body as Buffer).stats();
    expect(dominant).toMatchObject({ r: 248, g: 248, b: 248 }); // paper
    const [red = 0, , blue = 0] = channels.map(({ min }) => min);
    expect(red).toBeGreaterThan(blue + 30); // and red ink
  });

  test('is its own rendition pdf, and a picture has imageToPDF', async () => {
    const file = await pdfFile();
    expect(await namesOf(file)).toEqual(['thumbnail', 'pdf', 'xmlExport', 'zipExport']);
    const { body } = await asBytes(server.request.get(`${atId(file.uid)}/@rendition/pdf`)).expect(200);
    expect(body).toEqual(pdfOf('Hello'));
    const shot = await createBinary(server, await picture(10, 10, 'jpeg'), { mimeType: 'image/jpeg' });
    expect(await namesOf(shot)).toEqual(['thumbnail', 'imageToPDF', 'xmlExport', 'zipExport']);
    await server.request
      .get(`${atId(shot.uid)}/@rendition/imageToPDF`)
      .expect(200)
      .expect('Content-Type', 'application/pdf');
    const text = await createFile(server, { content: 'x' });
    expect(await namesOf(text)).toEqual(['thumbnail', 'pdf', 'xmlExport', 'zipExport']);
    const bytes = await createFile(server, { content: 'x', 'mime-type': 'application/x-own' });
    expect(await namesOf(bytes)).toEqual(['thumbnail', 'xmlExport', 'zipExport']);
    await server.request.get(`${atId(bytes.uid)}/@rendition/pdf`).expect(404);
  });
});
