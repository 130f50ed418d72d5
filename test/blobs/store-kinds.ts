import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { placeOf } from '../../src/blobs/folder-store.ts';
import { openBlobStore } from '../../src/blobs/open-blob-store.ts';
import { readConfig } from '../../src/config.ts';
import { newFolder } from '../support/folder.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';

export interface OpenedStore {
  readonly store: BlobStore;
  /** The same store again, as another process has it. */
  readonly again: () => Promise<BlobStore>;
  /** The names of all files of the store, temporary ones too. */
  readonly files: () => Promise<string[]>;
  /** Makes a blob as old as so many milliseconds. */
  readonly age: (digest: string, milliseconds: number) => Promise<void>;
  readonly folder: string;
  /** Gives a blob other bytes, as a fault of a disk does. */
  readonly damage: (digest: string, bytes: string) => Promise<void>;
}

export const day = 86_400_000;

/** What is left of a request to the S3 server that was broken off and sent again: no object has that name. */
const isUnfinished = (name: string): boolean => /\.[0-9a-f-]{36}\./.test(name);

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

export async function ageFile(file: string, milliseconds: number): Promise<void> {
  const then = new Date(Date.now() - milliseconds);
  await utimes(file, then, then);
}

async function inFolder(): Promise<OpenedStore> {
  const DATA_DIR = newFolder();
  const again = () => openBlobStore(readConfig({ DATA_DIR }));
  const folder = join(DATA_DIR, 'blobs');
  return {
    store: await again(),
    again,
    files: () => filesBelow(folder),
    age: (digest, milliseconds) => ageFile(join(folder, placeOf(digest)), milliseconds),
    folder,
    damage: (digest, bytes) => writeFile(join(folder, placeOf(digest)), bytes),
  };
}

let server: Promise<S3Server> | undefined;
afterAll(async () => (await server)?.[Symbol.asyncDispose]());

/** The S3 server of a test file. */
export const s3Server = (): Promise<S3Server> => {
  server ??= startS3Server();
  return server;
};

let prefixes = 0;

export async function inS3(settings: Record<string, string> = {}): Promise<OpenedStore> {
  const s3 = await s3Server();
  prefixes += 1;
  const prefix = `prefix-${prefixes}/sub`;
  const DATA_DIR = newFolder();
  const again = () => openBlobStore(readConfig({ DATA_DIR, BLOB_STORE: s3.address(prefix), ...settings }));
  const folder = join(s3.folder, 'quire', prefix);
  const object = '._S3rver_object';
  return {
    store: await again(),
    again,
    files: async () => {
      const objects = (await filesBelow(folder)).filter(
        (name) => name.endsWith(object) && !isUnfinished(name),
      );
      return [
        ...objects.map((name) => name.slice(0, -object.length)),
        ...(await filesBelow(join(DATA_DIR, 'spool'))),
      ];
    },
    age: (digest, milliseconds) => ageFile(join(folder, `${placeOf(digest)}${object}`), milliseconds),
    folder,
    damage: (digest, bytes) => writeFile(join(folder, `${placeOf(digest)}${object}`), bytes),
  };
}

/** Every kind of store, for one suite. */
export const storeKinds: ReadonlyArray<readonly [name: string, open: () => Promise<OpenedStore>]> = [
  ['a folder', inFolder],
  ['a bucket of S3', inS3],
  ['a bucket, while blobs move there from a folder', () => inS3({ BLOB_STORE_ALSO: 'folder' })],
];
