/** @group every-database */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { atPath, documentBody, missingId, workspaces } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { beginUpload, cut, send } from './upload-requests.ts';

const server = useServer({ UPLOAD_LIMIT: '100kb' });
const request = useUser(server, 'bob');
let batch: string;
beforeEach(async () => {
  batch = await beginUpload(request);
});

const upload = '/api/v1/upload';

describe('§4.7 POST /upload', () => {
  test('creates a batch', async () => {
    const { body } = await request.post(upload).expect(201);
    expect(body).toEqual({ batchId: expect.stringMatching(/^batchId-[\da-f-]{36}$/) });
    await request.post(`${upload}/`).expect(201);
  });

  test('creates a batch through the handler default, and answers 400 for other handlers', async () => {
    const { body } = await request.post(`${upload}/new/default`).expect(200);
    expect(body).toEqual({ provider: 'default', fileEntries: [], batchId: expect.any(String) });
    const { body: fault } = await request.post(`${upload}/new/other`).expect(400);
    expect(fault.message).toBe('Batch handler does not exist: other');
  });

  test('answers 401 without credentials', async () => {
    await server.anonymous.post(upload).expect(401);
  });
});

describe('§4.7 GET /upload/handlers', () => {
  test('lists the handler default', async () => {
    const { body } = await request.get(`${upload}/handlers`).expect(200);
    expect(body).toEqual({ handlers: [{ name: 'default' }] });
    expect((await request.get(`${upload}/handlers/default`).expect(200)).body).toEqual({ name: 'default' });
    await request.get(`${upload}/handlers/other`).expect(404);
  });
});

describe('§4.7 POST /upload/BATCH/INDEX', () => {
  test('stores a file and answers its fields as texts', async () => {
    const response = await send(request, batch, 0, { content: 'twelve bytes', name: 'a.txt' }).expect(201);
    expect(response.body).toEqual({
      uploaded: 'true',
      batchId: batch,
      fileIdx: '0',
      uploadType: 'normal',
      uploadedSize: '12',
    });
    expect(response.headers['content-type']).toMatch(/^application\/json/);
  });

  test('accepts any index, and replaces a file at the same index', async () => {
    await send(request, batch, 7, { content: 'before', name: 'before.txt' }).expect(201);
    await send(request, batch, 7, { content: 'another', name: 'after.txt' }).expect(201);
    await send(request, batch, 3, { content: 'x', name: 'x.txt' }).expect(201);
    const { body } = await request.get(`${upload}/${batch}`).expect(200);
    expect(body).toEqual([
      { name: 'x.txt', size: 1, uploadType: 'normal' },
      { name: 'after.txt', size: 7, uploadType: 'normal' },
    ]);
  });

  test('accepts an empty file', async () => {
    expect((await send(request, batch, 0, { content: '' }).expect(201)).body.uploadedSize).toBe('0');
  });

  test.each([
    ['é "1" 100%.txt', 'é "1" 100%.txt'],
    ['a/b\\c.txt', 'c.txt'],
  ])('stores the name %s as %s', async (name, kept) => {
    await send(request, batch, 0, { content: 'x', name }).expect(201);
    expect((await request.get(`${upload}/${batch}/0`).expect(200)).body.name).toBe(kept);
  });

  test('answers 204 with X-NXVoidOperation and stores the file', async () => {
    await send(request, batch, 0, { content: 'x' }).set('X-NXVoidOperation', 'true').expect(204);
    await request.get(`${upload}/${batch}/0`).expect(200);
  });

  test.each([
    ['a', 'not the index of a file'],
    ['-1', 'not the index of a file'],
    ['99999999999', 'not the index of a file'],
  ])('answers 400 for the index %s, whatever is done with the file', async (index, message) => {
    const at = `${upload}/${batch}/${index}`;
    const sent = [
      send(request, batch, index, { content: 'x' }),
      request.get(at),
      request.delete(at),
      request.post(`${at}/execute/Blob.CreateZip`).send({}),
    ];
    for (const { body } of await Promise.all(sent.map((each) => each.expect(400))))
      expect(body.message).toContain(message);
    const content = { 'upload-batch': batch, 'upload-fileId': index };
    const body = documentBody({ type: 'File', name: 'a', properties: { 'file:content': content } });
    const { body: fault } = await server.request.post(atPath(workspaces)).send(body).expect(400);
    expect(fault.message).toContain(`file:content: "${index}" is ${message}`);
  });

  test('answers 404 for a number that no file of the batch has, and for a batch that there is not', async () => {
    for (const at of [`${upload}/${batch}/7`, `${upload}/batchId-${missingId}/0`]) {
      await request.get(at).expect(404);
      await request.delete(at).expect(404);
      await request.post(`${at}/execute/Blob.CreateZip`).send({}).expect(404);
    }
  });

  test.each([
    ['X-File-Name', { 'X-File-Name': '100%' }],
    ['X-File-Type', { 'X-File-Type': 'text/plain; charset="no charset"' }],
    ['X-File-Size', { 'X-File-Size': 'x' }],
    ['X-File-Size', { 'X-File-Size': '7' }],
    ['X-Upload-Type', { 'X-Upload-Type': 'half' }],
    ['X-Upload-Chunk-Index', { 'X-Upload-Type': 'chunked' }],
    ['X-Upload-Chunk-Count', { 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '0' }],
    ['X-Upload-Chunk-Index', { 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '-1' }],
    ['X-File-Size', { 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '0', 'X-Upload-Chunk-Count': '2' }],
    [
      'X-File-Size',
      {
        'X-Upload-Type': 'chunked',
        'X-Upload-Chunk-Index': '0',
        'X-Upload-Chunk-Count': '2',
        'X-File-Size': 'undefined',
      },
    ],
    [
      'X-Upload-Chunk-Index',
      {
        'X-Upload-Type': 'chunked',
        'X-Upload-Chunk-Index': '2',
        'X-Upload-Chunk-Count': '2',
        'X-File-Size': '1',
      },
    ],
    [
      'X-Upload-Chunk-Count',
      {
        'X-Upload-Type': 'chunked',
        'X-Upload-Chunk-Index': '0',
        'X-Upload-Chunk-Count': '0',
        'X-File-Size': '1',
      },
    ],
    [
      'X-Upload-Chunk-Count',
      {
        'X-Upload-Type': 'chunked',
        'X-Upload-Chunk-Index': '0',
        'X-Upload-Chunk-Count': '99999999999',
        'X-File-Size': '1',
      },
    ],
  ])('answers 400 for an invalid %s', async (name, headers) => {
    const { body } = await send(request, batch, 0, { content: 'x' }).set(headers).expect(400);
    expect(body.message).toMatch(new RegExp(`^${name}\\b`));
    await request.get(`${upload}/${batch}`).expect(204);
  });

  test.each(['undefined', '-1', '1'])('takes a file of one byte with X-File-Size: %s', async (size) => {
    await send(request, batch, 0, { content: 'x' }).set('X-File-Size', size).expect(201);
  });

  test('takes a saved web page, which browsers send as multipart/related', async () => {
    const page = { content: 'MIME-Version: 1.0' };
    await send(request, batch, 0, page).set('Content-Type', 'multipart/related').expect(201);
    const { body } = await request.get(`/api/v1/upload/${batch}/0`).expect(200);
    expect(body).toMatchObject({ size: 17, uploadType: 'normal' });
  });

  test('answers an error to forms, compressed bodies and files above UPLOAD_LIMIT', async () => {
    const parts = 'multipart/form-data; boundary=x';
    await send(request, batch, 0, { content: 'x' }).set('Content-Type', parts).expect(400);
    await send(request, batch, 0, { content: 'x' }).set('Content-Encoding', 'gzip').expect(415);
    await send(request, batch, 0, { content: Buffer.alloc(102_401) }).expect(413);
    await send(request, batch, 0, { content: Buffer.alloc(102_400) }).expect(201);
  });

  test('accepts a thousand files per batch, and no more', async () => {
    const { prisma } = server.database;
    const batchId = batch.slice('batchId-'.length);
    const file = { batchId, name: 'x', mimeType: 'text/plain', size: 0, digest: 'x' };
    await prisma.uploadFile.createMany({
      data: Array.from({ length: 1000 }, (_, index) => ({ ...file, index })),
    });
    await send(request, batch, 999, { content: 'x' }).expect(201);
    expect((await send(request, batch, 1000, { content: 'x' }).expect(400)).body.message).toContain('1000');
  });

  test('costs one SQL statement more for the last chunk than for the others', async () => {
    const counts = [];
    for (const chunk of cut('0123456789', 10))
      counts.push(statements(await send(request, batch, 0, chunk).expect(({ ok }) => ok)));
    expect(new Set(counts.slice(1, -1)).size).toBe(1);
    // When its turn to be joined has come, the file is asked about once more.
    expect(counts.at(-1)).toBe((counts.at(-2) ?? 0) + 1);
    const few = statements(await send(request, batch, 1, cut('01', 2)[0] as never));
    expect(Math.max(...counts)).toBeLessThanOrEqual(few + 2);
  });

  test('repeated with its Idempotency-Key answers the same and writes nothing', async () => {
    const sent = () => send(request, batch, 0, { content: 'x' }).set('Idempotency-Key', 'k1');
    const { body } = await sent().expect(201);
    await request.delete(`${upload}/${batch}`).expect(204);
    expect((await sent().expect(201)).body).toEqual(body);
    await request.get(`${upload}/${batch}`).expect(404);
  });
});
