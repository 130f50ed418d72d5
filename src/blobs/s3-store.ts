import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import pMap from 'p-map';
import { ConfigError, type S3Address } from '../config.ts';
import type { BlobStore, UseFiles } from './blob-store.ts';
import { bytesOf } from './bytes-of.ts';
import { BlobMissing, DamagedBlob } from './faults.ts';
import { isDigest, placeOf } from './folder-store.ts';
import { areParts, joinObjects, putInParts } from './s3-multipart.ts';
import { type Objects, openObjects } from './s3-objects.ts';
import { renewBlob, sweepObjects } from './s3-sweep.ts';
import { openSpool, type Spooled } from './spool.ts';
import { type StoredBytes, storeBytes } from './store-bytes.ts';

/** The maximum number of concurrent downloads to temporary files. */
const maxDownloads = 8;

/**
 * Manages temporary files that contain blobs. Concurrent readers of a blob share one file, which is deleted when the
 * last of them has finished.
 */
function createFetchedFiles(fresh: () => string, fetch: (digest: string, path: string) => Promise<void>) {
  const fetching = pLimit(maxDownloads);
  const files = new Map<
    string,
    { readonly path: string; readonly fetched: Promise<void>; readers: number }
  >();

  function open(digest: string) {
    const path = fresh();
    const file = files.get(digest) ?? { path, fetched: fetching(() => fetch(digest, path)), readers: 0 };
    file.readers += 1;
    files.set(digest, file);
    return file;
  }

  return async <Result>(digests: readonly string[], use: UseFiles<Result>): Promise<Result> => {
    const opened = new Map([...new Set(digests)].map((digest) => [digest, open(digest)]));
    try {
      await Promise.all([...opened.values()].map(({ fetched }) => fetched));
      return await use((digest) => opened.get(digest)?.path ?? '');
    } finally {
      for (const [digest, file] of opened) {
        file.readers -= 1;
        if (file.readers > 0) continue;
        files.delete(digest);
        await file.fetched.catch(() => {});
        await rm(file.path, { force: true });
      }
    }
  };
}

/**
 * The minimum age of a blob for which a renewal is recorded, in milliseconds. Younger blobs do not need it, because
 * sweeps delete only blobs that are much older.
 */
const youngAge = 3_600_000;

const emptyDigest = createHash('sha256').digest('hex');

const defaultSingleRequest = 128 * 1024 ** 2;

const concurrentLookUps = 16;

interface S3Settings {
  readonly spool: string;
  readonly isRedirecting: boolean;
  /** The maximum number of bytes to upload in one request. Longer blobs are uploaded in parts. */
  readonly maxSingleRequest?: number;
}

/**
 * @throws ConfigError if the bucket does not exist or denies access. An unreachable store is not an error here, because
 * it may become available later.
 */
async function requireBucket({ checkBucket }: Objects, { bucket }: S3Address): Promise<void> {
  try {
    await checkBucket();
  } catch (error) {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode ?? 500;
    if (status >= 400 && status < 500 && status !== 429)
      throw new ConfigError(`BLOB_STORE: the bucket "${bucket}" cannot be used: ${status} ${name}`);
  }
}

/**
 * Opens a blob store in a bucket of S3 or of a compatible service. @throws ConfigError if the bucket cannot be used.
 */
export async function openS3Store(address: S3Address, settings: S3Settings): Promise<BlobStore> {
  const objects = openObjects(address);
  await requireBucket(objects, address);
  const spool = await openSpool(settings.spool);
  const renewed = new LRUCache<string, true>({ max: 10_000, ttl: youngAge });

  async function renew(digest: string): Promise<number | undefined> {
    if (!isDigest(digest)) return undefined;
    const place = placeOf(digest);
    const found = await objects.find(place);
    if (!found || Date.now() - found.modified < youngAge || renewed.has(digest)) return found?.length;
    await renewBlob(objects, digest);
    renewed.set(digest, true);
    return (await objects.find(place))?.length;
  }

  async function put(spooled: Spooled, isRepairing: boolean): Promise<void> {
    const { digest, length } = spooled;
    const known = await renew(digest);
    if (known === length && !isRepairing) return;
    if (length > (settings.maxSingleRequest ?? defaultSingleRequest))
      await putInParts(objects, placeOf(digest), spooled);
    else await objects.send(placeOf(digest), spooled);
  }

  async function joinInStore(digests: readonly string[]): Promise<StoredBytes | undefined> {
    const lengths = await pMap(digests, store.lengthOf, { concurrency: concurrentLookUps });
    const missing = digests[lengths.indexOf(undefined)];
    if (missing !== undefined) throw new BlobMissing(missing);
    if (!areParts(lengths as number[])) return undefined;
    const hash = createHash('sha256');
    let length = 0;
    for await (const chunk of bytesOf(store, digests)) {
      hash.update(chunk);
      length += chunk.byteLength;
    }
    const digest = hash.digest('hex');
    if ((await renew(digest)) === length) return { digest, length };
    const isJoined = await joinObjects(objects, placeOf(digest), digests.map(placeOf));
    return isJoined ? { digest, length } : undefined;
  }

  async function read(...[digest, range]: Parameters<BlobStore['read']>): Promise<Readable> {
    if (digest === emptyDigest) return Readable.from([]); // S3 rejects ranges of empty objects
    const stream = await objects.get(placeOf(digest), range);
    if (!stream) throw new BlobMissing(digest);
    return stream;
  }

  const store: BlobStore = {
    write: async (bytes, expected) => {
      const spooled = await spool.receive(bytes);
      const { digest, length, remove } = spooled;
      try {
        if (expected !== undefined && digest !== expected) throw new DamagedBlob(expected, digest);
        await put(spooled, expected !== undefined);
        return { digest, length };
      } finally {
        await remove();
      }
    },
    join: async (digests) => (await joinInStore(digests)) ?? store.write(bytesOf(store, digests)),
    read,
    readAll: async (digest) => buffer(await read(digest)),
    withFiles: createFetchedFiles(spool.fresh, async (expected, path) => {
      const { digest } = await storeBytes(path, await read(expected), false);
      if (digest !== expected) throw new DamagedBlob(expected, digest);
    }),
    lengthOf: async (digest) => (await objects.find(placeOf(digest)))?.length,
    renew,
    remove: (digest) => objects.remove(placeOf(digest)),
    list: async function* () {
      for await (const page of objects.list()) {
        const digests = page.map(({ key }) => key.slice(key.lastIndexOf('/') + 1));
        yield digests.filter((digest, index) => isDigest(digest) && page[index]?.key === placeOf(digest));
      }
    },
    sweep: async (referenced, grace) =>
      (await spool.sweep(grace)) + (await sweepObjects(objects, referenced, grace)),
    ...(settings.isRedirecting && {
      signedAddress: (digest, answer) => objects.sign(placeOf(digest), answer),
    }),
  };
  return store;
}
