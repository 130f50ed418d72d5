import { describe, expect, test } from '@jest/globals';
import { strFromU8, unzipSync } from 'fflate';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { asBytes, call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const fileWith = (content: string, name: string) =>
  createDocument(server, { properties: { 'file:content': { content, name } } });

describe('Document.GetRendition', () => {
  const get = (input: unknown, renditionName?: unknown, request = server.request) =>
    call(request, 'Document.GetRendition', { input, params: { renditionName } });

  test('answers the rendition as a file', async () => {
    const file = await fileWith('x', 'x.txt');
    const { body } = await asBytes(get(file.uid, 'xmlExport'))
      .expect(200)
      .expect('Content-Type', /^text\/xml/);
    expect((body as Buffer).toString('utf8')).toContain(`id="${file.uid}"`);
    await get(file.uid, 'thumbnail')
      .expect(200)
      .expect('Content-Type', /^image\/svg/);
  });

  test('answers those of several documents as parts of one body', async () => {
    const [one, two] = [await fileWith('1', '1.txt'), await fileWith('2', '2.txt')];
    await get([one.uid, two.uid], 'mainBlob')
      .expect(200)
      .expect('Content-Type', /^multipart\/mixed/);
  });

  test('needs Read', async () => {
    const file = await fileWith('x', 'x.txt');
    await setAcl(server, file.path, [deny('Everyone', 'Everything')]);
    await get(file.uid, 'xmlExport', bob).expect(403);
  });

  test('refuses an unknown document, an unknown rendition, and none', async () => {
    const file = await fileWith('x', 'x.txt');
    await get('/nosuch', 'xmlExport').expect(404);
    await get(file.uid, 'nosuch').expect(404);
    await get(file.uid).expect(400);
  });
});

describe('Blob.CreateZip', () => {
  test('answers an archive of the files of an upload batch', async () => {
    const batch = (await server.request.post('/api/v1/upload').expect(201)).body.batchId;
    for (const [index, name] of ['a.txt', 'b.txt', 'a.txt'].entries()) {
      await server.request
        .post(`/api/v1/upload/${batch}/${index}`)
        .set({ 'X-File-Name': name, 'Content-Type': 'application/octet-stream' })
        .send(Buffer.from(`content ${index}`))
        .expect(201);
    }
    const sent = server.request
      .post(`/api/v1/upload/${batch}/execute/Blob.CreateZip`)
      .send({ params: { filename: 'all.zip' } });
    const { body, headers } = await asBytes(sent).expect(200).expect('Content-Type', 'application/zip');
    expect(headers['content-disposition']).toContain('all.zip');
    const files = Object.entries(unzipSync(body as Buffer)).map(([name, bytes]) => [name, strFromU8(bytes)]);
    expect(Object.fromEntries(files)).toEqual({
      'a.txt': 'content 0',
      'b.txt': 'content 1',
      '1-a.txt': 'content 2',
    });
  });

  test('refuses a call without files', async () => {
    await call(server.request, 'Blob.CreateZip', { params: {} }).expect(400);
  });

  test('needs no permission: its input has been read already', async () => {
    await call(bob, 'Blob.CreateZip', { params: {} }).expect(400);
    await call(server.anonymous, 'Blob.CreateZip', { params: {} }).expect(401);
  });
});

const page = () =>
  createDocument(server, {
    properties: { 'file:content': { content: '<p>Hi</p>', 'mime-type': 'text/html', name: 'a.html' } },
  });

/** The parameters of operations that convert files, for a page, and those that they refuse. */
const good = {
  'Blob.Convert': { params: { mimeType: 'text/plain' }, refused: { mimeType: 'video/mp4' } },
  'Blob.RunConverter': {
    params: { converter: 'html2text', parameters: { a: 'b' } },
    refused: { converter: 'pdf2text' },
  },
};

describe.each(Object.entries(good))('%s', (id, { params, refused }) => {
  test('answers what is made of the main file of a document, or of a file', async () => {
    const { uid } = await page();
    const { text, headers } = await call(server.request, id, { input: uid, params }).expect(200);
    expect(text).toBe('Hi');
    expect(headers['content-disposition']).toContain('a.txt');
    const sent = await server.request
      .post(`/api/v1/automation/${id}`)
      .field('params', JSON.stringify({ params }), { contentType: 'application/json' })
      .attach('input', Buffer.from('<b>sent</b>'), { filename: 'b.html', contentType: 'text/html' })
      .expect(200);
    expect(sent.text).toBe('sent');
  });

  test('needs Read', async () => {
    const { uid, path } = await page();
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    await call(bob, id, { input: uid, params }).expect(403);
  });

  test('refuses what no converter makes, none, and a document without a file', async () => {
    const { uid } = await page();
    const { body } = await call(server.request, id, { input: uid, params: refused }).expect(400);
    expect(body.message).toMatch(/^(mimeType|converter): /);
    await call(server.request, id, { input: uid }).expect(400);
    await call(server.request, id, { input: '/default-domain', params }).expect(404);
  });
});

describe('Blob.ToPDF', () => {
  const convert = (input: unknown, request = server.request) => call(request, 'Blob.ToPDF', { input });

  test('answers a picture as a PDF', async () => {
    const properties = {
      'file:content': {
        content: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        'mime-type': 'image/svg+xml',
      },
    };
    const { uid } = await createDocument(server, { properties });
    await convert(uid).expect(200).expect('Content-Type', 'application/pdf');
  });

  test('needs Read', async () => {
    const { uid, path } = await page();
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    await convert(uid, bob).expect(403);
  });

  test('refuses files that no converter makes a PDF of', async () => {
    const properties = { 'file:content': { content: 'x', 'mime-type': 'application/x-own' } };
    const { uid } = await createDocument(server, { properties });
    const { body } = await convert(uid).expect(400);
    expect(body.message).toBe('input: no converter can convert application/x-own to application/pdf.');
  });
});
