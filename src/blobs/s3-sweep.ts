import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import pMap from 'p-map';
import type { BlobStore } from './blob-store.ts';
import { isDigest, placeOf } from './folder-store.ts';
import { abortOldUploads } from './s3-multipart.ts';
import type { Objects } from './s3-objects.ts';

// S3 cannot delete an object on the condition that it has not been renewed. Therefore, sweeps and renewals use a
// protocol similar to Dekker's algorithm. A sweep writes a list of the blobs that it is about to delete, then checks
// whether they have been renewed, and only then deletes them. A renewal writes its object, then reads the lists of
// running sweeps, and waits until none of them contains the blob. Both sides write before they read, so at least one of
// them sees what the other has written. Otherwise, a sweep could delete a blob that a new row refers to.

/** Returns the key of the empty object that is written when a blob is renewed. */
const renewalOf = (digest: string): string => `renewed/${digest}`;
const renewals = 'renewed/';

/** The prefix of the lists of digests that sweeps are about to delete. */
const toDelete = 'condemned/';

/**
 * The number of milliseconds after which a list is considered abandoned. A sweep stops using its list after half of
 * this time.
 */
const listLife = 60_000;

const listLength = 100;

const atOnce = 16;

const isOld = (modified: number, grace: number): boolean => Date.now() - modified >= grace;

async function listsUnderWay(objects: Objects): Promise<Map<string, string>> {
  const lists = new Map<string, string>();
  for await (const page of objects.list(toDelete))
    for (const { key, modified } of page) {
      const content = isOld(modified, listLife) ? undefined : await objects.get(key);
      if (content) lists.set(key, await text(content));
    }
  return lists;
}

/**
 * Restarts the grace period of an old blob. If the blob still exists when this function resolves, no sweep will delete
 * it.
 */
export async function renewBlob(objects: Objects, digest: string): Promise<void> {
  await objects.put(renewalOf(digest), '');
  for (const [list, digests] of await listsUnderWay(objects)) {
    const began = performance.now();
    while (digests.includes(digest) && (await objects.find(list)) && performance.now() - began < listLife)
      await wait(100);
  }
}

/** Deletes the blobs that have not been renewed. @returns their number. */
async function deleteBlobs(objects: Objects, digests: readonly string[], grace: number): Promise<number> {
  const list = `${toDelete}${randomUUID()}`;
  const began = performance.now();
  await objects.put(list, digests.join('\n'));
  const lists = await listsUnderWay(objects);
  lists.delete(list);
  const others = [...lists.values()].join();
  const deleted = await pMap(
    digests.filter((digest) => !others.includes(digest)),
    async (digest) => {
      const [blob, renewal] = await Promise.all([placeOf(digest), renewalOf(digest)].map(objects.find));
      const isSkipped = !blob || [blob, renewal].some((each) => each && !isOld(each.modified, grace));
      if (isSkipped || performance.now() - began > listLife / 2) return 0;
      await objects.removeOnce(placeOf(digest));
      if (renewal) await objects.remove(renewalOf(digest));
      return 1;
    },
    { concurrency: atOnce },
  );
  await objects.remove(list);
  return deleted.filter(Boolean).length;
}

async function deleteOld(objects: Objects, below: string, age: number): Promise<void> {
  for await (const page of objects.list(below)) {
    const old = page.filter(({ modified }) => isOld(modified, age));
    await pMap(old, ({ key }) => objects.remove(key), { concurrency: atOnce });
  }
}

/**
 * Deletes old unreferenced blobs, old renewals and lists, and abandoned uploads.
 * @returns the number of deleted items.
 */
export async function sweepObjects(
  objects: Objects,
  ...[referenced, grace]: Parameters<BlobStore['sweep']>
): Promise<number> {
  let deleted = 0;
  for await (const page of objects.list()) {
    const old = page.flatMap(({ key, modified }) => {
      const digest = key.slice(key.lastIndexOf('/') + 1);
      return isDigest(digest) && key === placeOf(digest) && isOld(modified, grace) ? [digest] : [];
    });
    const inUse = await referenced(old);
    const unused = old.filter((digest) => !inUse.has(digest));
    for (let at = 0; at < unused.length; at += listLength)
      deleted += await deleteBlobs(objects, unused.slice(at, at + listLength), grace);
  }
  await deleteOld(objects, renewals, grace);
  await deleteOld(objects, toDelete, Math.max(grace, listLife));
  return deleted + (await abortOldUploads(objects, grace));
}
