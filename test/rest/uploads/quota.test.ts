import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import supertest from 'supertest';
import { readConfig } from '../../../src/config.ts';
import { openServices } from '../../../src/open-services.ts';
import { administrator, authorization } from '../../support/administrator.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { beginUpload, cut, send, uploaded } from './upload-requests.ts';

const quota = 1000;
const server = useServer({ UPLOAD_QUOTA: String(quota) });
const ann = useUser(server, 'ann');
const { request } = server;
let batch: string;
beforeEach(async () => {
  await server.database.prisma.uploadBatch.deleteMany();
  batch = await beginUpload(request);
});

const upload = '/api/v1/upload';
let written = 0;

/** Bytes that no other test has sent. */
const bytes = (length: number): Buffer => {
  written += 1;
  return Buffer.alloc(length, `${written} `);
};

/** What the batches hold, by the rows of their files, and by the count that the quota is compared with. */
async function held() {
  const { prisma } = server.database;
  const [batches, files, chunks] = await Promise.all([
    prisma.uploadBatch.findMany(),
    prisma.uploadFile.findMany({ where: { chunkCount: null } }),
    prisma.uploadChunk.findMany(),
  ]);
  const sum = (numbers: readonly bigint[]) => Number(numbers.reduce((all, number) => all + number, 0n));
  return {
    counted: sum(batches.map((each) => each.bytes)),
    stored: sum([...files.map(({ size }) => size), ...chunks.map(({ length }) => length)]),
  };
}

describe('§4.7 UPLOAD_QUOTA', () => {
  test('refuses what no longer fits, with a message, and stores nothing of it', async () => {
    await send(request, batch, 0, { content: bytes(600) }).expect(201);
    const other = await beginUpload(request);
    const { body } = await send(request, other, 0, { content: bytes(401) }).expect(413);
    expect(body.message).toBe(
      "A user's uploads must not exceed 1000 bytes (UPLOAD_QUOTA), including files that were rejected within the last day. Use or delete some uploads, then try again.",
    );
    await request.get(`${upload}/${other}/0`).expect(404);
    expect(await readdir(join(server.dataDir, 'blobs/unfinished'))).toEqual([]);
    await send(request, other, 0, { content: bytes(400) }).expect(201);
    await send(request, other, 1, { content: bytes(1) }).expect(413);
    await send(request, other, 1, { content: '' }).expect(201);
    expect(await held()).toEqual({ counted: 1000, stored: 1000 });
  });

  test('counts the chunks of a file that is not complete', async () => {
    const chunks = cut(bytes(1200), 3);
    for (const chunk of chunks.slice(0, 2)) await send(request, batch, 0, chunk).expect(202);
    await send(request, batch, 0, chunks[2] ?? { content: '' }).expect(413);
    expect((await request.get(`${upload}/${batch}/0`).expect(202)).body.uploadedChunkIds).toEqual([0, 1]);
  });

  test('counts a file that is sent again, whole or a chunk, once', async () => {
    await send(request, batch, 0, { content: bytes(400) }).expect(201);
    const chunks = cut(bytes(600), 2);
    for (const chunk of [...chunks, ...chunks]) await send(request, batch, 1, chunk);
    await send(request, batch, 0, { content: bytes(400) }).expect(201);
    await send(request, batch, 0, { content: bytes(401) }).expect(413);
    await send(request, batch, 0, { content: bytes(300) }).expect(201);
    for (const chunk of cut(bytes(700), 2)) await send(request, batch, 1, chunk).expect(/uploaded/);
    expect(await held()).toEqual({ counted: 1000, stored: 1000 });
  });

  test('is free again of files and batches that are deleted, or used by a document', async () => {
    const full = () => send(request, batch, 1, { content: bytes(700) });
    await send(request, batch, 0, { content: bytes(600) }).expect(201);
    await full().expect(413);
    await request.delete(`${upload}/${batch}/0`).expect(204);
    await full().expect(201);

    const other = await beginUpload(request);
    await send(request, other, 0, { content: bytes(600) }).expect(413);
    await request.delete(`${upload}/${batch}`).expect(204);
    await send(request, other, 0, { content: bytes(600) }).expect(201);

    const properties = { 'file:content': uploaded(other, 0) };
    await request
      .post('/api/v1/path/default-domain/workspaces')
      .send({ 'entity-type': 'document', type: 'File', name: 'used', properties })
      .expect(201);
    batch = await beginUpload(request);
    await full().expect(201);
  });

  test('is that of one user', async () => {
    await send(request, batch, 0, { content: bytes(1000) }).expect(201);
    const other = await beginUpload(ann);
    await send(ann, other, 0, { content: bytes(1000) }).expect(201);
    await send(ann, other, 1, { content: bytes(1) }).expect(413);
  });

  test('does not stand in the way of a repeated Idempotency-Key', async () => {
    const content = bytes(1000);
    const sent = () => send(request, batch, 0, { content }).set('Idempotency-Key', 'full');
    const { body } = await sent().expect(201);
    expect((await sent().expect(201)).body).toEqual(body);
    await request.delete(`${upload}/${batch}`).expect(204);
    await send(request, await beginUpload(request), 0, { content: bytes(1000) }).expect(201);
    expect((await sent().expect(201)).body).toEqual(body);
  });

  test('ends a body of unknown length as soon as it is too long', async () => {
    await send(request, batch, 0, { content: bytes(900) }).expect(201);
    const port = await server.listen();
    const [status, sent] = await new Promise<[number, number]>((resolve, reject) => {
      let count = 0;
      const headers = { Authorization: authorization, 'Content-Type': 'application/octet-stream' };
      const path = `${upload}/${batch}/1`;
      const sending = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers });
      const timer = setInterval(() => {
        sending.write(Buffer.alloc(50));
        count += 50;
      }, 20);
      sending.on('error', reject);
      sending.on('response', (response) => {
        clearInterval(timer);
        sending.end();
        response.resume();
        resolve([response.statusCode ?? 0, count]);
      });
    });
    expect(status).toBe(413);
    expect(sent).toBeLessThan(400);
    expect(await readdir(join(server.dataDir, 'blobs/unfinished'))).toEqual([]);
  });

  test('is not passed by files that come at once, to two processes', async () => {
    const { app, close } = await openServices(
      readConfig({ DATA_DIR: server.dataDir, UPLOAD_QUOTA: String(quota) }),
      server.database,
      { log: pino({ level: 'silent' }), isReady: () => true },
    );
    const other = supertest.agent(app).auth(administrator.username, administrator.password);
    const batches = await Promise.all([1, 2, 3].map(() => beginUpload(request)));
    const sent = [request, other as typeof request].flatMap((to) =>
      batches.flatMap((each) =>
        [1, 2, 3].map((file) => send(to, each, file * (to === request ? 1 : 10), { content: bytes(300) })),
      ),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 413]));
    const accepted = statuses.filter((status) => status === 201).length;
    expect(accepted).toBeLessThanOrEqual(3);
    expect(await held()).toEqual({ counted: accepted * 300, stored: accepted * 300 });
    await close();
  });

  test('counts what is there after any writes and deletions', async () => {
    const change = fc.record({
      file: fc.nat(2),
      length: fc.integer({ min: 0, max: 30 }),
      count: fc.integer({ min: 0, max: 3 }),
      index: fc.nat(2),
      isDeletion: fc.nat(4).map((number) => number === 0),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        await server.database.prisma.uploadBatch.deleteMany();
        const into = await beginUpload(request);
        const present = new Set<number>();
        for (const { file, length, count, index, isDeletion } of changes) {
          const content = bytes(length);
          const chunk = cut(content, count)[index % Math.max(1, count)];
          const { status } = await (isDeletion
            ? request.delete(`${upload}/${into}/${file}`)
            : send(request, into, file, chunk ?? { content }));
          if (isDeletion) expect(status).toBe(present.delete(file) ? 204 : 404);
          else expect([201, 202]).toContain(status);
          if (!isDeletion) present.add(file);
        }
        const { counted, stored } = await held();
        expect(counted).toBe(stored);
      }),
      { numRuns: 25 },
    );
  });

  test('costs the same statements for a batch of many chunks as for an empty one', async () => {
    const [first, ...others] = cut(bytes(60), 30);
    const few = statements(await send(request, batch, 0, first ?? { content: '' }).expect(202));
    for (const chunk of others.slice(0, 27)) await send(request, batch, 0, chunk).expect(202);
    expect(statements(await send(request, batch, 0, others[27] ?? { content: '' }).expect(202))).toBe(few);
  });
});
