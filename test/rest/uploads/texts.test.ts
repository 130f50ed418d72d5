import { beforeEach, describe, expect, test } from '@jest/globals';
import { createDocument, documentBody } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { beginUpload, send, uploaded } from './upload-requests.ts';

const server = useServer();
const { request } = server;
let batch: string;
beforeEach(async () => {
  batch = await beginUpload(request);
});

const sendText = (content: string | Buffer, type = 'text/plain') =>
  send(request, batch, 0, { content, name: 'n.txt', type });

const create = (properties: object, type = 'Note') =>
  request
    .post('/api/v1/path/default-domain/workspaces')
    .send({ ...documentBody({ properties }), type, name: 'of-upload' });

describe('§2.1: an upload as the value of a text', () => {
  test('gives a new document the text of the file, and deletes the batch', async () => {
    await sendText('\uFEFFGrüße,\r\nеё', 'application/octet-stream');
    const { body } = await create({ 'note:note': uploaded(batch, 0) }).expect(201);
    expect(body.properties['note:note']).toBe('Grüße,\r\nеё');
    await request.get(`/api/v1/upload/${batch}`).expect(404);
  });

  test.each<[string, Buffer, string, string]>([
    ['UTF-16', Buffer.from('\uFEFFGrüße', 'utf16le'), 'text/plain', 'Grüße'],
    ['UTF-16 without a mark', Buffer.from('Grüße 1', 'utf16le'), 'text/plain', 'Grüße 1'],
    [
      'an encoding that is told',
      Buffer.from('cff0e8e2e5f2', 'hex'),
      'text/plain; charset=windows-1251',
      'Привет',
    ],
    ['Windows-1252', Buffer.from('Gr\xfc\xdfe \x80', 'latin1'), 'text/plain', 'Grüße €'],
    ['no bytes', Buffer.alloc(0), 'text/plain', ''],
  ])('is decoded from %s by PUT', async (_, content, type, text) => {
    const { uid } = await createDocument(server, { type: 'Note' });
    await sendText(content, type);
    const { body } = await request
      .put(`/api/v1/id/${uid}`)
      .send(documentBody({ properties: { 'note:note': uploaded(batch, 0) } }))
      .expect(200);
    expect(body.properties['note:note']).toBe(text);
  });

  test('is taken by operations that set properties', async () => {
    const { uid } = await createDocument(server, { type: 'Note' });
    await sendText('of an operation');
    const params = { properties: { 'note:note': uploaded(batch, 0) } };
    const { body } = await call(request, 'Document.Update', { input: uid, params }).expect(200);
    expect(body.properties['note:note']).toBe('of an operation');
  });

  test.each<[string, Buffer, string]>([
    ['bytes', Buffer.from([0, 1, 2, 255]), 'application/octet-stream'],
    ['a file in another encoding than it says', Buffer.from('Grüße', 'latin1'), 'text/plain; charset=utf-8'],
    ['an encoding that nobody knows', Buffer.from('text'), 'text/plain; charset=x-none'],
  ])('refuses %s', async (_, content, type) => {
    await sendText(content, type);
    const { body } = await create({ 'note:note': uploaded(batch, 0) }).expect(400);
    expect(body.message).toMatch(/^note:note: The file n\.txt is not text/);
    await request.get(`/api/v1/upload/${batch}`).expect(200);
  });

  test('refuses a text that is longer than the property may be', async () => {
    await sendText('x'.repeat(10_001));
    const { body } = await create({ 'dc:title': uploaded(batch, 0) }).expect(422);
    expect(JSON.stringify(body)).toContain('LengthConstraint');
    await sendText('x'.repeat(40_001));
    const { body: larger } = await create({ 'dc:title': uploaded(batch, 0) }).expect(400);
    expect(larger.message).toBe(
      'dc:title: The file n.txt has 40001 bytes, which is more than this text property can store.',
    );
  });

  test('refuses an upload that is not there, and one where a number is expected', async () => {
    const { body } = await create({ 'note:note': uploaded(batch, 7) }).expect(400);
    expect(body.message).toContain('note:note');
    await sendText('12');
    await create({ 'dc:expired': uploaded(batch, 0) }).expect(400);
  });

  test('is not taken by users, whose texts are short', async () => {
    await sendText('text');
    const user = { username: 'of-upload', password: 'pw', company: uploaded(batch, 0) };
    await request.post('/api/v1/user').send({ 'entity-type': 'user', properties: user }).expect(400);
  });
});
