import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isOlder } from './folder-store.ts';
import { makePrivate } from './private-folder.ts';
import { type Bytes, type StoredBytes, storeBytes } from './store-bytes.ts';
import { removeLeftFiles, temporaryName } from './temporary-files.ts';

/**
 * Bytes that have been received completely but not yet uploaded. They are stored under their digest, which is known
 * only after the last byte.
 */
export interface Spooled extends StoredBytes {
  readonly open: () => Promise<Readable | Buffer>;
  /** Reads some of the bytes into memory. */
  readonly part: (start: number, length: number) => Promise<Uint8Array>;
  readonly remove: () => Promise<void>;
}

const shortLength = 256 * 1024;

const day = 86_400_000;

async function startOf(bytes: Bytes) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const rest = (async function* () {
    yield* bytes;
  })();
  while (length <= shortLength) {
    const next = await rest.next();
    if (next.done) return { chunks, rest: undefined };
    chunks.push(next.value);
    length += next.value.byteLength;
  }
  return { chunks, rest };
}

async function* joined(chunks: Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks.splice(0);
  yield* rest;
}

const inMemory = (bytes: Buffer): Spooled => ({
  digest: createHash('sha256').update(bytes).digest('hex'),
  length: bytes.byteLength,
  open: async () => bytes,
  part: async (start, length) => bytes.subarray(start, start + length),
  remove: async () => {},
});

async function readPart(path: string, start: number, length: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, start);
    if (bytesRead !== length) throw new Error(`${path} is shorter than expected`);
    return buffer;
  } finally {
    await file.close();
  }
}

/**
 * Deletes files that are older than `grace` milliseconds and were left behind by killed processes. @returns their
 * number.
 */
async function sweepFiles(folder: string, grace: number): Promise<number> {
  let deleted = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!(await isOlder(path, grace))) continue;
    await rm(path, { force: true });
    deleted += 1;
  }
  return deleted;
}

/** Opens a spool folder, which holds bytes until they have been uploaded. Short blobs stay in memory. */
export async function openSpool(folder: string) {
  await makePrivate(folder);
  await removeLeftFiles(folder);
  // The daily sweep runs on only one machine, so each machine deletes its own old files here.
  await sweepFiles(folder, day);
  const fresh = (): string => join(folder, temporaryName());
  return {
    sweep: (grace: number) => sweepFiles(folder, grace),
    fresh,
    /** Receives bytes. @throws InsufficientStorage */
    receive: async (bytes: Bytes): Promise<Spooled> => {
      const { chunks, rest } = await startOf(bytes);
      if (!rest) return inMemory(Buffer.concat(chunks));
      const path = fresh();
      const stored = await storeBytes(path, joined(chunks, rest), false);
      return {
        ...stored,
        open: async () => createReadStream(path, { highWaterMark: 512 * 1024 }),
        part: (start, length) => readPart(path, start, length),
        remove: () => rm(path, { force: true }),
      };
    },
  };
}
