import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openS3Store } from '../../src/blobs/s3-store.ts';
import { readConfig, type S3Address } from '../../src/config.ts';
import { newFolder } from '../support/folder.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(async () => s3[Symbol.asyncDispose]());

const MiB = 1024 ** 2;
const length = 40 * MiB + 1;
const ending = 'the end';

/** Zeros and an ending, by and by. */
function* chunks() {
  for (let at = 0; at < length - ending.length; at += MiB)
    yield Buffer.alloc(Math.min(MiB, length - ending.length - at));
  yield Buffer.from(ending);
}

const partsOf = (requests: readonly string[]): number[] =>
  requests
    .filter((request) => request.startsWith('PUT') && request.includes('partNumber='))
    .map((request) => Number(/partNumber=(\d+)/.exec(request)?.[1]))
    .sort((a, b) => a - b);

/** A store that sends more than 8 MiB in parts, instead of 128. */
async function open(prefix: string) {
  const spool = newFolder();
  const { BLOB_STORE } = readConfig({ BLOB_STORE: s3.address(prefix) });
  const maxSingleRequest = 8 * MiB;
  const store = await openS3Store(BLOB_STORE as S3Address, { spool, isRedirecting: false, maxSingleRequest });
  s3.requests.length = 0;
  return { store, spooled: () => readdir(spool) };
}

describe('a long blob in S3', () => {
  afterEach(() => {
    s3.intercept = undefined;
  });

  test('is sent in parts of 8 MiB, and read as one object', async () => {
    const { store, spooled } = await open('whole');
    const hash = createHash('sha256');
    for (const chunk of chunks()) hash.update(chunk);
    const digest = hash.digest('hex');
    expect(await store.write(chunks())).toEqual({ digest, length });
    expect(partsOf(s3.requests)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await store.lengthOf(digest)).toBe(length);
    const tail = { start: length - ending.length, end: length - 1 };
    expect(await text(await store.read(digest, tail))).toBe(ending);
    expect(await text(await store.read(digest, { start: 8 * MiB - 1, end: 8 * MiB }))).toBe('\0\0');
    expect(await spooled()).toEqual([]);
  });

  test('of which a part is refused is ended in the store, and leaves nothing', async () => {
    const { store, spooled } = await open('refused');
    s3.intercept = (request) => (request.includes('partNumber=3') ? 403 : undefined);
    await expect(store.write(chunks())).rejects.toThrow(
      'The blob store does not respond, or rejects the request. Try again later.',
    );
    const aborted = s3.requests.filter((each) => each.startsWith('DELETE') && each.includes('uploadId='));
    expect(aborted).toHaveLength(1);
    expect(partsOf(s3.requests).length).toBeLessThan(6); // the others are not sent in vain
    expect(await spooled()).toEqual([]);
    for await (const digests of store.list()) expect(digests).toEqual([]);
  });
});
