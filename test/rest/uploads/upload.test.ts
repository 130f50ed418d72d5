import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { administrator, start, statements, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';
import { beginUpload, cut, send } from './upload-requests.ts';

let server: TestServer;
let http: Server;
let request: TestServer['request'];
let ann: TestServer['request'];
let root: TestServer['request'];
let batch: string;
beforeAll(async () => {
  server = await start({ UPLOAD_LIMIT: '100kb' });
  await createUser(server, 'ann');
  await createUser(server, 'root', ['administrators']);
  await createUser(server, 'bob');
  request = as(server, 'bob');
  ann = as(server, 'ann');
  root = as(server, 'root');
  http = createServer(server.app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  http.closeAllConnections();
  http.close();
  await server.stop();
});
beforeEach(async () => {
  batch = await beginUpload(request);
});

const upload = '/api/v1/upload';
const missing = 'batchId-00000000-0000-4000-8000-000000000000';

describe('§4.7 POST /upload', () => {
  test('begins a batch', async () => {
    const { body } = await request.post(upload).expect(201);
    expect(body).toEqual({ batchId: expect.stringMatching(/^batchId-[\da-f-]{36}$/) });
    await request.post(`${upload}/`).expect(201);
  });

  test('through a handler tells of the batch', async () => {
    const { body } = await request.post(`${upload}/new/default`).expect(200);
    expect(body).toEqual({ provider: 'default', fileEntries: [], batchId: expect.any(String) });
    const { body: fault } = await request.post(`${upload}/new/other`).expect(400);
    expect(fault.message).toBe('Batch handler does not exist: other');
  });

  test('is for those who say who they are', async () => {
    await server.anonymous.post(upload).expect(401);
  });
});

describe('§4.7 GET /upload/handlers', () => {
  test('tells of the one that there is', async () => {
    const { body } = await request.get(`${upload}/handlers`).expect(200);
    expect(body).toEqual({ handlers: [{ name: 'default' }] });
    expect((await request.get(`${upload}/handlers/default`).expect(200)).body).toEqual({ name: 'default' });
    await request.get(`${upload}/handlers/other`).expect(404);
  });
});

describe('§4.7 POST /upload/BATCH/INDEX', () => {
  test('takes a file, and answers in texts', async () => {
    const response = await send(request, batch, 0, { content: 'twelve bytes', name: 'a.txt' }).expect(201);
    expect(response.body).toEqual({
      ...{ uploaded: 'true', batchId: batch, fileIdx: '0', uploadType: 'normal', uploadedSize: '12' },
    });
    expect(response.headers['content-type']).toMatch(/^application\/json/);
  });

  test('takes numbers as they come, and another file in the place of one', async () => {
    await send(request, batch, 7, { content: 'before', name: 'before.txt' }).expect(201);
    await send(request, batch, 7, { content: 'another', name: 'after.txt' }).expect(201);
    await send(request, batch, 3, { content: 'x', name: 'x.txt' }).expect(201);
    const { body } = await request.get(`${upload}/${batch}`).expect(200);
    expect(body).toEqual([
      { name: 'x.txt', size: 1, uploadType: 'normal' },
      { name: 'after.txt', size: 7, uploadType: 'normal' },
    ]);
  });

  test('takes a file of no bytes', async () => {
    expect((await send(request, batch, 0, { content: '' }).expect(201)).body.uploadedSize).toBe('0');
  });

  test.each([
    ['é "1" 100%.txt', 'é "1" 100%.txt'],
    ['a/b\\c.txt', 'c.txt'],
  ])('keeps the name %s as %s', async (name, kept) => {
    await send(request, batch, 0, { content: 'x', name }).expect(201);
    expect((await request.get(`${upload}/${batch}/0`).expect(200)).body.name).toBe(kept);
  });

  test('answers 204 to who wants nothing, and does it', async () => {
    await send(request, batch, 0, { content: 'x' }).set('X-NXVoidOperation', 'true').expect(204);
    await request.get(`${upload}/${batch}/0`).expect(200);
  });

  test.each([
    ['a', 'no number of a file'],
    ['-1', 'no number of a file'],
    ['99999999999', 'no number of a file'],
  ])('refuses the index %s', async (index, message) => {
    const { body } = await send(request, batch, index, { content: 'x' }).expect(400);
    expect(body.message).toContain(message);
  });

  test.each([
    ['X-File-Name', { 'X-File-Name': '100%' }],
    ['X-File-Type', { 'X-File-Type': 'text/plain; charset="no charset"' }],
    ['X-Upload-Type', { 'X-Upload-Type': 'half' }],
    ['X-Upload-Chunk-Index', { 'X-Upload-Type': 'chunked' }],
    ['X-Upload-Chunk-Count', { 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '0' }],
    ['X-Upload-Chunk-Index', { 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '-1' }],
    ['X-File-Size', { 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '0', 'X-Upload-Chunk-Count': '2' }],
    [
      'X-File-Size',
      {
        ...{ 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '0', 'X-Upload-Chunk-Count': '2' },
        'X-File-Size': 'undefined',
      },
    ],
    [
      'X-Upload-Chunk-Index',
      {
        ...{ 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '2', 'X-Upload-Chunk-Count': '2' },
        'X-File-Size': '1',
      },
    ],
    [
      'X-Upload-Chunk-Count',
      {
        ...{ 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '0', 'X-Upload-Chunk-Count': '0' },
        'X-File-Size': '1',
      },
    ],
    [
      'X-Upload-Chunk-Count',
      {
        ...{ 'X-Upload-Type': 'chunked', 'X-Upload-Chunk-Index': '0', 'X-Upload-Chunk-Count': '99999999999' },
        'X-File-Size': '1',
      },
    ],
  ])('refuses a wrong %s', async (name, headers) => {
    const { body } = await send(request, batch, 0, { content: 'x' }).set(headers).expect(400);
    expect(body.message).toContain(`${name}: `);
    await request.get(`${upload}/${batch}`).expect(204);
  });

  test('refuses parts, coded bytes, and more than UPLOAD_LIMIT', async () => {
    const parts = 'multipart/form-data; boundary=x';
    await send(request, batch, 0, { content: 'x' }).set('Content-Type', parts).expect(400);
    await send(request, batch, 0, { content: 'x' }).set('Content-Encoding', 'gzip').expect(415);
    await send(request, batch, 0, { content: Buffer.alloc(102_401) }).expect(413);
    await send(request, batch, 0, { content: Buffer.alloc(102_400) }).expect(201);
  });

  test('takes a thousand files into a batch, and no more', async () => {
    const { prisma } = server.database;
    const batchId = batch.slice('batchId-'.length);
    const file = { batchId, name: 'x', mimeType: 'text/plain', size: 0, digest: 'x' };
    await prisma.uploadFile.createMany({
      data: Array.from({ length: 1000 }, (_, index) => ({ ...file, index })),
    });
    await send(request, batch, 999, { content: 'x' }).expect(201);
    expect((await send(request, batch, 1000, { content: 'x' }).expect(400)).body.message).toContain('1000');
  });

  test('costs as many statements for the last of many chunks as for the first', async () => {
    const counts = [];
    for (const chunk of cut('0123456789', 10))
      counts.push(statements(await send(request, batch, 0, chunk).expect(({ ok }) => ok)));
    // The file itself is found as one of the store: nothing more is asked for.
    expect(new Set(counts.slice(1)).size).toBe(1);
    const few = statements(await send(request, batch, 1, cut('01', 2)[0] as never));
    expect(Math.max(...counts)).toBeLessThanOrEqual(few + 1);
  });

  test('begun again with its Idempotency-Key answers the same, and writes nothing', async () => {
    const sent = () => send(request, batch, 0, { content: 'x' }).set('Idempotency-Key', 'k1');
    const { body } = await sent().expect(201);
    await request.delete(`${upload}/${batch}`).expect(204);
    expect((await sent().expect(201)).body).toEqual(body);
    await request.get(`${upload}/${batch}`).expect(404);
  });
});

describe('§4.7 a batch that is not there', () => {
  test.each([missing, 'batchId-', 'x', '%00', missing.toUpperCase()])('%s', async (unknown) => {
    await request.get(`${upload}/${unknown}`).expect(404);
    await request.get(`${upload}/${unknown}/info`).expect(404);
    await request.get(`${upload}/${unknown}/0`).expect(404);
    await send(request, unknown, 0, { content: 'x' }).expect(404);
    await request.delete(`${upload}/${unknown}/0`).expect(404);
    await request.delete(`${upload}/${unknown}`).expect(404);
  });

  test('is told before the body is waited for', async () => {
    const socket = connect((http.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    const credentials = Buffer.from(Object.values(administrator).join(':')).toString('base64');
    const lines = [`POST ${upload}/${missing}/0 HTTP/1.1`, 'Host: x', `Authorization: Basic ${credentials}`];
    socket.write(`${[...lines, 'Content-Length: 90000'].join('\r\n')}\r\n\r\n`);
    await until(() => answer.includes('"entity-type":"exception"'));
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    socket.destroy();
  });

  test('is what a batch of somebody else is, for administrators too', async () => {
    await send(request, batch, 0, { content: 'secret', name: 'secret.txt' }).expect(201);
    for (const other of [ann, root, server.request]) {
      await other.get(`${upload}/${batch}`).expect(404);
      await other.get(`${upload}/${batch}/info`).expect(404);
      await other.get(`${upload}/${batch}/0`).expect(404);
      await send(other, batch, 0, { content: 'mine' }).expect(404);
      await other.delete(`${upload}/${batch}/0`).expect(404);
      await other.delete(`${upload}/${batch}`).expect(404);
    }
    expect((await request.get(`${upload}/${batch}`).expect(200)).body[0].name).toBe('secret.txt');
  });
});

describe('§4.7 GET and DELETE', () => {
  test('an empty batch has nothing to tell', async () => {
    expect((await request.get(`${upload}/${batch}`).expect(204)).text).toBe('');
    const { body } = await request.get(`${upload}/${batch}/info`).expect(200);
    expect(body).toEqual({ provider: 'default', fileEntries: [], batchId: batch });
  });

  test('a file and its batch', async () => {
    await send(request, batch, 0, { content: 'abc', name: 'a.txt' });
    const file = { name: 'a.txt', size: 3, uploadType: 'normal' };
    expect((await request.get(`${upload}/${batch}/0`).expect(200)).body).toEqual(file);
    expect((await request.get(`${upload}/${batch}/info`).expect(200)).body).toEqual({
      ...{ provider: 'default', fileEntries: [file], batchId: batch },
    });
    await request.get(`${upload}/${batch}/1`).expect(404);
    await request.get(`${upload}/${batch}/x`).expect(404);
  });

  test('a file is taken out, then the batch', async () => {
    await send(request, batch, 0, { content: 'abc' });
    await request.delete(`${upload}/${batch}/1`).expect(404);
    await request.delete(`${upload}/${batch}/0`).expect(204);
    await request.delete(`${upload}/${batch}/0`).expect(404);
    await request.get(`${upload}/${batch}`).expect(204);
    await request.delete(`${upload}/${batch}`).expect(204);
    await request.delete(`${upload}/${batch}`).expect(404);
    await request.get(`${upload}/${batch}`).expect(404);
  });

  test('costs one statement, however many files there are', async () => {
    await send(request, batch, 0, { content: 'a' });
    const one = statements(await request.get(`${upload}/${batch}`));
    for (const index of [1, 2, 3]) await send(request, batch, index, { content: 'a' });
    expect(statements(await request.get(`${upload}/${batch}`))).toBe(one);
    expect(one).toBe(1);
  });

  test('with its user a batch goes', async () => {
    await createUser(server, 'gone');
    await beginUpload(as(server, 'gone'));
    const { prisma } = server.database;
    await prisma.user.delete({ where: { id: 'gone' } });
    expect(await prisma.uploadBatch.count({ where: { userId: 'gone' } })).toBe(0);
  });
});

test('§4.7 of a file that breaks off nothing stays', async () => {
  const socket = connect((http.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  const credentials = Buffer.from('bob:secret').toString('base64');
  const lines = [`POST ${upload}/${batch}/0 HTTP/1.1`, 'Host: x', `Authorization: Basic ${credentials}`];
  socket.write(`${[...lines, 'Content-Length: 90000'].join('\r\n')}\r\n\r\n${'x'.repeat(50_000)}`);
  const { readdir } = await import('node:fs/promises');
  const unfinished = () => readdir(`${server.dataDir}/blobs/unfinished`);
  await until(async () => (await unfinished()).length === 1);
  socket.destroy();
  await until(async () => (await unfinished()).length === 0);
  await request.get(`${upload}/${batch}`).expect(204);
  expect(server.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test('§4.7 bytes are kept by their digest', async () => {
  await send(request, batch, 0, { content: 'digested' });
  const [file] = await server.database.prisma.uploadFile.findMany({
    where: { batchId: batch.slice('batchId-'.length) },
  });
  expect(file?.digest).toBe(createHash('sha256').update('digested').digest('hex'));
});
