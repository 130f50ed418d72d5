import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import supertest from 'supertest';
import { readConfig } from '../../../src/config.ts';
import { openServices } from '../../../src/open-services.ts';
import { administrator } from '../../support/administrator.ts';
import { blobFile } from '../../support/blob-file.ts';
import { useServer } from '../../support/server.ts';
import { beginUpload, cut, send } from './upload-requests.ts';

const server = useServer();
const { request } = server;
let batch: string;
beforeEach(async () => {
  batch = await beginUpload(request);
});

const upload = '/api/v1/upload';

/** Returns the bytes of a complete file, or undefined. */
async function bytesOf(index: number): Promise<string | undefined> {
  const [file] = await server.database.prisma.uploadFile.findMany({
    where: { batchId: batch.slice('batchId-'.length), index },
  });
  return file?.digest ? readFile(blobFile(server, file.digest), 'utf8') : undefined;
}

const content = 'abcdefghij';
const at = (chunks: ReturnType<typeof cut>, index: number) => chunks[index] ?? { content: '' };

describe('§4.7 a file in chunks', () => {
  test('has at most 10,000 chunks, and is joined when the last of them arrives', async () => {
    const count = 10_000;
    const chunkOf = (index: number, of = count) => ({ content: 'x', chunk: { index, count: of, size: of } });
    const { body } = await send(request, batch, 0, chunkOf(0, count + 1)).expect(400);
    expect(body.message).toBe('X-Upload-Chunk-Count must be between 1 and 10000; got 10001');
    await send(request, batch, 0, chunkOf(0)).expect(202);
    const digest = createHash('sha256').update('x').digest('hex');
    const at = { batchId: batch.slice('batchId-'.length), fileIndex: 0, digest, length: 1 };
    const middle = Array.from({ length: count - 2 }, (_, index) => ({ ...at, index: index + 1 }));
    await server.database.prisma.uploadChunk.createMany({ data: middle });
    await send(request, batch, 0, chunkOf(count - 1)).expect(201);
    expect(await bytesOf(0)).toBe('x'.repeat(count));
  });

  test('is available when all chunks have arrived', async () => {
    const chunks = cut(content, 3, 'a.txt');
    const first = await send(request, batch, 0, at(chunks, 0)).expect(202);
    expect(first.body).toEqual({
      uploaded: 'true',
      batchId: batch,
      fileIdx: '0',
      uploadType: 'chunked',
      uploadedSize: '4',
      uploadedChunkIds: [0],
      chunkCount: 3,
    });
    await send(request, batch, 0, at(chunks, 2)).expect(202);
    const half = { name: 'a.txt', size: 10, uploadType: 'chunked', uploadedChunkIds: [0, 2], chunkCount: 3 };
    expect((await request.get(`${upload}/${batch}/0`).expect(202)).body).toEqual(half);
    expect((await request.get(`${upload}/${batch}`).expect(200)).body).toEqual([half]);
    expect(await bytesOf(0)).toBeUndefined();

    const last = await send(request, batch, 0, at(chunks, 1)).expect(201);
    expect(last.body).toMatchObject({ uploadedSize: '4', uploadedChunkIds: [0, 1, 2], chunkCount: 3 });
    const whole = { ...half, uploadedChunkIds: [0, 1, 2] };
    expect((await request.get(`${upload}/${batch}/0`).expect(200)).body).toEqual(whole);
    expect(await bytesOf(0)).toBe(content);
  });

  test('may consist of one chunk', async () => {
    await send(request, batch, 0, at(cut(content, 1), 0)).expect(201);
    expect(await bytesOf(0)).toBe(content);
  });

  test('is the same for any order and repetition of the chunks', async () => {
    const orders = fc
      .integer({ min: 1, max: 6 })
      .chain((count) =>
        fc.tuple(
          fc.shuffledSubarray([...Array(count).keys()], { minLength: count }),
          fc.array(fc.nat(count - 1), { maxLength: 3 }),
        ),
      );
    let index = 0;
    await fc.assert(
      fc.asyncProperty(orders, async ([order, again]) => {
        index += 1;
        const chunks = cut(content, order.length);
        const sent = [...again, ...order, ...again];
        const seen = new Set<number>();
        for (const chunk of sent) {
          seen.add(chunk);
          const status = seen.size === order.length ? 201 : 202;
          const { body } = await send(request, batch, index, at(chunks, chunk)).expect(status);
          expect(body.uploadedChunkIds).toEqual([...seen].sort());
        }
        expect(await bytesOf(index)).toBe(content);
      }),
      { numRuns: 15 },
    );
  });

  test.each([2, 5, 12])('is complete when %s chunks arrive concurrently', async (count) => {
    const answers = await Promise.all(
      cut(content.repeat(9), count).map((chunk) => send(request, batch, 0, chunk)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(count - 1).fill(202)]);
    expect(await bytesOf(0)).toBe(content.repeat(9));
  });

  test('is complete when all chunks arrive twice concurrently, at two processes', async () => {
    const { app, close } = await openServices(readConfig({ DATA_DIR: server.dataDir }), server.database, {
      log: pino({ level: 'silent' }),
      isReady: () => true,
    });
    const other = supertest.agent(app).auth(administrator.username, administrator.password);
    const chunks = cut(content.repeat(7), 4);
    const sent = [request, other as typeof request].flatMap((to) =>
      chunks.map((chunk) => send(to, batch, 0, chunk)),
    );
    const answers = await Promise.all(sent);
    expect(answers.filter(({ status }) => status !== 201 && status !== 202)).toEqual([]);
    expect(await bytesOf(0)).toBe(content.repeat(7));
    await request.get(`${upload}/${batch}/0`).expect(200);
    await close();
  });

  test('changes when a chunk is replaced, until it is complete', async () => {
    const [before, after] = [cut('abcdef', 3), cut('abXYef', 3)];
    for (const chunk of [at(before, 0), at(before, 1), at(after, 1)])
      await send(request, batch, 0, chunk).expect(202);
    await send(request, batch, 0, at(after, 2)).expect(201);
    expect(await bytesOf(0)).toBe('abXYef');
  });

  test('is not joined again for other bytes of a chunk: 409, and it stays as it is', async () => {
    for (const chunk of cut('abcdef', 3)) await send(request, batch, 0, chunk);
    const joined = jest.spyOn(server.blobs, 'join');
    for (const other of ['abXYef', 'abcdXY', 'XYcdef']) {
      const chunk = cut(other, 3).find(({ content: bytes }) => String(bytes) === 'XY') ?? at([], 0);
      const { body } = await send(request, batch, 0, chunk).expect(409);
      expect(body.message).toMatch(
        /^The file is complete, and its chunk \d has different bytes\. Delete the file/,
      );
    }
    for (const chunk of cut('abcdef', 3)) await send(request, batch, 0, chunk).expect(201);
    expect(joined).not.toHaveBeenCalled();
    expect(await bytesOf(0)).toBe('abcdef');
    await request.delete(`${upload}/${batch}/0`).expect(204);
    for (const chunk of cut('abXYef', 3)) await send(request, batch, 0, chunk);
    expect(await bytesOf(0)).toBe('abXYef');
    expect(joined).toHaveBeenCalledTimes(1);
    joined.mockRestore();
  });

  test('is joined once when last chunks with different bytes come at once', async () => {
    const chunks = cut('abcdef', 3);
    for (const chunk of chunks.slice(0, 2)) await send(request, batch, 0, chunk).expect(202);
    const joined = jest.spyOn(server.blobs, 'join');
    const ends = [...'abcdefghij'].map((letter) => letter.repeat(2));
    const answers = await Promise.all(
      ends.map((end) => send(request, batch, 0, { ...at(chunks, 2), content: end })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(joined).toHaveBeenCalledTimes(1);
    joined.mockRestore();
    const accepted = answers.findIndex(({ status }) => status === 201);
    expect(await bytesOf(0)).toBe(`abcd${ends[accepted]}`);
  });

  test('is not assembled again when its last chunk is repeated', async () => {
    const chunks = cut(content, 2);
    await send(request, batch, 0, at(chunks, 0)).expect(202);
    const { body } = await send(request, batch, 0, at(chunks, 1)).expect(201);
    const written = jest.spyOn(server.blobs, 'write');
    expect((await send(request, batch, 0, at(chunks, 1)).expect(201)).body).toEqual(body);
    expect(written).toHaveBeenCalledTimes(1); // for the chunk itself
    written.mockRestore();
    expect(await bytesOf(0)).toBe(content);
  });

  test('is resumed after an interruption', async () => {
    const chunks = cut(content, 5);
    for (const index of [0, 1, 3]) await send(request, batch, 0, at(chunks, index)).expect(202);
    const { body } = await request.get(`${upload}/${batch}/0`).expect(202);
    const missing = chunks.filter((_, index) => !body.uploadedChunkIds.includes(index));
    expect(missing).toHaveLength(2);
    for (const chunk of missing) await send(request, batch, 0, chunk);
    expect(await bytesOf(0)).toBe(content);
  });

  test('starts over with another number of chunks, or when it is sent whole', async () => {
    await send(request, batch, 0, at(cut(content, 3), 0)).expect(202);
    const { body } = await send(request, batch, 0, at(cut(content, 2), 1)).expect(202);
    expect(body).toMatchObject({ uploadedChunkIds: [1], chunkCount: 2 });
    const { body: other } = await send(request, batch, 0, at(cut('abc', 2), 0)).expect(202);
    expect(other).toMatchObject({ uploadedChunkIds: [0], chunkCount: 2 });
    await send(request, batch, 0, { content: 'whole', name: 'whole.txt' }).expect(201);
    expect((await request.get(`${upload}/${batch}/0`).expect(200)).body).toEqual({
      name: 'whole.txt',
      size: 5,
      uploadType: 'normal',
    });
    await send(request, batch, 0, at(cut(content, 2), 0)).expect(202);
    expect(await bytesOf(0)).toBeUndefined();
  });

  test('is not complete when its chunks do not add up to X-File-Size', async () => {
    const sized = (index: number, text: string) => ({ content: text, chunk: { index, count: 2, size: 6 } });
    await send(request, batch, 0, sized(0, 'abc')).expect(202);
    const joined = jest.spyOn(server.blobs, 'join');
    const { body } = await send(request, batch, 0, sized(1, 'de')).expect(400);
    expect(body.message).toBe('X-File-Size is 6, but the chunks have 5 bytes in total');
    expect(joined).not.toHaveBeenCalled();
    joined.mockRestore();
    expect((await request.get(`${upload}/${batch}/0`).expect(202)).body.uploadedChunkIds).toEqual([0]);
    await send(request, batch, 0, sized(1, 'def')).expect(201);
  });

  test('answers the same to a chunk repeated with its Idempotency-Key', async () => {
    const [first, last] = cut(content, 2);
    await send(request, batch, 0, first ?? at([], 0)).expect(202);
    const sent = () => send(request, batch, 0, last ?? at([], 0)).set('Idempotency-Key', 'last');
    const { body } = await sent().expect(201);
    expect((await sent().expect(201)).body).toEqual(body);
  });
});
