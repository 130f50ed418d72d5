import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import pMap from 'p-map';
import type { BlobStore } from './blob-store.ts';
import { isDigest, placeOf } from './folder-store.ts';
import { abortOldUploads } from './s3-multipart.ts';
import type { Objects } from './s3-objects.ts';

// S3 has no operation that deletes an object unless it was renewed meanwhile. So a sweep first names what it
// is about to delete, then looks whether it was renewed, then deletes; and a renewal is first written, then
// looks for such names, and waits until they are gone. Whichever comes second sees the other.

/** Empty objects, written when a blob is renewed. */
const renewalOf = (digest: string): string => `renewed/${digest}`;
const renewals = 'renewed/';

/** What sweeps are about to delete: lists of digests. */
const condemned = 'condemned/';

/** Milliseconds after which such a list is of a killed process. In half of them it is worked off. */
const listLife = 60_000;

const listLength = 100;

const atOnce = 16;

const isOld = (modified: number, grace: number): boolean => Date.now() - modified >= grace;

async function listsUnderWay(objects: Objects): Promise<Map<string, string>> {
  const lists = new Map<string, string>();
  for await (const page of objects.list(condemned))
    for (const { key, modified } of page) {
      const content = isOld(modified, listLife) ? undefined : await objects.get(key);
      if (content) lists.set(key, await text(content));
    }
  return lists;
}

/** Restarts the grace period of an old blob; it may be gone when this resolves, and stays when it is not. */
export async function keepBlob(objects: Objects, digest: string): Promise<void> {
  await objects.put(renewalOf(digest), '');
  for (const [list, digests] of await listsUnderWay(objects)) {
    const began = performance.now();
    while (digests.includes(digest) && (await objects.find(list)) && performance.now() - began < listLife)
      await wait(100);
  }
}

/** Deletes those of some blobs that were not renewed. @returns their number. */
async function deleteBlobs(objects: Objects, digests: readonly string[], grace: number): Promise<number> {
  const list = `${condemned}${randomUUID()}`;
  const began = performance.now();
  await objects.put(list, digests.join('\n'));
  const lists = await listsUnderWay(objects);
  lists.delete(list);
  const others = [...lists.values()].join();
  const deleted = await pMap(
    digests.filter((digest) => !others.includes(digest)),
    async (digest) => {
      const [blob, renewal] = await Promise.all([placeOf(digest), renewalOf(digest)].map(objects.find));
      const isKept = !blob || [blob, renewal].some((each) => each && !isOld(each.modified, grace));
      if (isKept || performance.now() - began > listLife / 2) return 0;
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
    const kept = await referenced(old);
    const unused = old.filter((digest) => !kept.has(digest));
    for (let at = 0; at < unused.length; at += listLength)
      deleted += await deleteBlobs(objects, unused.slice(at, at + listLength), grace);
  }
  await deleteOld(objects, renewals, grace);
  await deleteOld(objects, condemned, Math.max(grace, listLife));
  return deleted + (await abortOldUploads(objects, grace));
}
