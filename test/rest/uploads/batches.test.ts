import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { administrator } from '../../support/administrator.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser, useUser } from '../../support/users.ts';
import { beginUpload, send } from './upload-requests.ts';

const server = useServer({ UPLOAD_LIMIT: '100kb' });
const request = useUser(server, 'bob');
const ann = useUser(server, 'ann');
const root = useUser(server, 'root', ['administrators']);
let port: number;
let batch: string;
beforeAll(async () => {
  port = await server.listen();
});
beforeEach(async () => {
  batch = await beginUpload(request);
});

const upload = '/api/v1/upload';
const missing = 'batchId-00000000-0000-4000-8000-000000000000';

describe('§4.7 POST /upload', () => {
  test('answers 429 to a user with 1,000 batches, until one of them is deleted', async () => {
    await createUser(server, 'many');
    const many = as(server, 'many');
    const first = await beginUpload(many);
    const data = Array.from({ length: 998 }, () => ({ id: crypto.randomUUID(), userId: 'many' }));
    await server.database.prisma.uploadBatch.createMany({ data });
    await beginUpload(many);
    const { body, headers } = await many.post(upload).expect(429);
    expect(body.message).toBe(
      'You have 1000 upload batches, which is the maximum. Use or delete some of them, or wait: a batch that receives no file for a day is deleted.',
    );
    expect(headers['retry-after']).toBe('60');
    await beginUpload(request);
    await many.delete(`${upload}/${first}`).expect(204);
    await beginUpload(many);
    await many.post(upload).expect(429);
  });
});

describe('§4.7 a missing batch', () => {
  test.each([missing, 'batchId-', 'x', '%00', missing.toUpperCase()])(
    'answers 404 to every request: %s',
    async (unknown) => {
      await request.get(`${upload}/${unknown}`).expect(404);
      await request.get(`${upload}/${unknown}/info`).expect(404);
      await request.get(`${upload}/${unknown}/0`).expect(404);
      await send(request, unknown, 0, { content: 'x' }).expect(404);
      await request.delete(`${upload}/${unknown}/0`).expect(404);
      await request.delete(`${upload}/${unknown}`).expect(404);
    },
  );

  test('is answered before the body arrives', async () => {
    const socket = connect(port, '127.0.0.1');
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

  test('is what other users get for a batch, including administrators', async () => {
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

describe('§4.7 GET and DELETE of batches and files', () => {
  test('GET of an empty batch answers 204, and its info an empty list', async () => {
    expect((await request.get(`${upload}/${batch}`).expect(204)).text).toBe('');
    const { body } = await request.get(`${upload}/${batch}/info`).expect(200);
    expect(body).toEqual({ provider: 'default', fileEntries: [], batchId: batch });
  });

  test('GET returns a file and its batch', async () => {
    await send(request, batch, 0, { content: 'abc', name: 'a.txt' });
    const file = { name: 'a.txt', size: 3, uploadType: 'normal' };
    expect((await request.get(`${upload}/${batch}/0`).expect(200)).body).toEqual(file);
    expect((await request.get(`${upload}/${batch}/info`).expect(200)).body).toEqual({
      provider: 'default',
      fileEntries: [file],
      batchId: batch,
    });
    await request.get(`${upload}/${batch}/1`).expect(404);
    await request.get(`${upload}/${batch}/x`).expect(400);
  });

  test('DELETE removes a file, then the batch', async () => {
    await send(request, batch, 0, { content: 'abc' });
    await request.delete(`${upload}/${batch}/1`).expect(404);
    await request.delete(`${upload}/${batch}/0`).expect(204);
    await request.delete(`${upload}/${batch}/0`).expect(404);
    await request.get(`${upload}/${batch}`).expect(204);
    await request.delete(`${upload}/${batch}`).expect(204);
    await request.delete(`${upload}/${batch}`).expect(404);
    await request.get(`${upload}/${batch}`).expect(404);
  });

  test('GET costs one SQL statement for any number of files', async () => {
    await send(request, batch, 0, { content: 'a' });
    const one = statements(await request.get(`${upload}/${batch}`));
    for (const index of [1, 2, 3]) await send(request, batch, index, { content: 'a' });
    expect(statements(await request.get(`${upload}/${batch}`))).toBe(one);
    expect(one).toBe(1);
  });

  test('deleting a user deletes the batches of that user', async () => {
    await createUser(server, 'gone');
    await beginUpload(as(server, 'gone'));
    const { prisma } = server.database;
    await prisma.user.delete({ where: { id: 'gone' } });
    expect(await prisma.uploadBatch.count({ where: { userId: 'gone' } })).toBe(0);
  });
});

test('§4.7 an interrupted upload leaves no file', async () => {
  const socket = connect(port, '127.0.0.1');
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

test('§4.7 uploaded bytes are stored by their digest', async () => {
  await send(request, batch, 0, { content: 'digested' });
  const [file] = await server.database.prisma.uploadFile.findMany({
    where: { batchId: batch.slice('batchId-'.length) },
  });
  expect(file?.digest).toBe(createHash('sha256').update('digested').digest('hex'));
});

describe('§8 a batch of 1000 files', () => {
  test('takes no other one, but replaces and deletes those that it has', async () => {
    const batchId = batch.slice('batchId-'.length);
    const file = { batchId, name: 'x', mimeType: 'text/plain', size: 1, chunkCount: 1 };
    const data = Array.from({ length: 1000 }, (_, index) => ({ ...file, index }));
    await server.database.prisma.uploadFile.createMany({ data });
    const { body } = await send(request, batch, 1000, { content: 'x' }).expect(400);
    expect(body.message).toBe('A batch can have at most 1000 files.');
    await send(request, batch, 999, { content: 'x' }).expect(201);
    await request.delete(`${upload}/${batch}/1000`).expect(404);
    await request.delete(`${upload}/${batch}/0`).expect(204);
    await send(request, batch, 1000, { content: 'x' }).expect(201);
  });
});
