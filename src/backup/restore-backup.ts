import pMap from 'p-map';
import type { BlobStore } from '../blobs/blob-store.ts';
import { DamagedBlob } from '../blobs/faults.ts';
import { abortableClient } from '../db/abortable-client.ts';
import type { CopyConnection, RowBatch } from '../db/copy/table-contents.ts';
import { writeTables } from '../db/copy/write-tables.ts';
import type { Database } from '../db/database.ts';
import { lockStartUp } from '../db/start-up-lock.ts';
import { Invalid } from '../errors.ts';
import { referencedDigests } from '../store/blobs/referenced-digests.ts';
import { type ArchiveEntry, readArchive } from './archive.ts';
import {
  digestOfBlob,
  endName,
  endSchema,
  type Manifest,
  manifestName,
  partName,
  readManifest,
  tableOfPart,
} from './format.ts';
import { type BackupOptions, type BackupReport, type Counter, counter } from './report.ts';
import { blobsAtOnce, maxBackupSeconds } from './write-backup.ts';

/**
 * Blobs of at most `bytes` bytes are written concurrently, `atOnce` at a time, because each write waits for the disk
 * twice.
 */
const short = { bytes: 1_000_000, atOnce: 16 };

interface RestoreTarget {
  readonly database: Pick<Database, 'transaction'>;
  readonly blobs: BlobStore;
}

async function bytesOf({ bytes }: ArchiveEntry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const textOf = async (entry: ArchiveEntry): Promise<string> => (await bytesOf(entry)).toString('utf8');

/**
 * Opens a backup and reads its manifest. The entry that was read last can be put back into the returned reader.
 */
async function openBackup(file: string, signal: AbortSignal) {
  const entries = readArchive(file, signal);
  const first = await entries.next();
  if (first.done || first.value.name !== manifestName) throw new Invalid(`${file} is not a backup.`);
  const manifest = readManifest(await textOf(first.value));
  let putBack: ArchiveEntry | undefined;
  return {
    manifest,
    next: async (): Promise<ArchiveEntry | undefined> => {
      const entry = putBack ?? (await entries.next()).value;
      putBack = undefined;
      return entry;
    },
    putBack: (entry: ArchiveEntry) => {
      putBack = entry;
    },
    close: () => entries.return(undefined),
  };
}

type Backup = Awaited<ReturnType<typeof openBackup>>;

/** Reads rows until an entry of another kind follows. @throws Invalid if an entry is damaged */
async function* rowsOf(backup: Backup, counted: Counter): AsyncGenerator<RowBatch> {
  for (let entry = await backup.next(); entry; entry = await backup.next()) {
    const table = tableOfPart(entry.name);
    if (table === undefined) return backup.putBack(entry);
    const text = await textOf(entry);
    if (partName(table, text) !== entry.name)
      throw new Invalid(`The backup is damaged: ${entry.name} has a wrong checksum.`);
    const lines = text.split('\n').slice(0, -1);
    yield { table, lines };
    counted.rows(lines.length);
  }
}

/**
 * Restores the blobs, and reads the backup to its end.
 * @returns the digests of blobs that were already missing when the backup was written
 */
async function storeBlobs(backup: Backup, blobs: BlobStore, counted: Counter): Promise<string[]> {
  const writes = new Set<Promise<void>>();
  const store = async (digest: string, bytes: AsyncIterable<Buffer> | Buffer[], size: number) => {
    await blobs.write(bytes, digest).catch((error: unknown) => {
      if (!(error instanceof DamagedBlob)) throw error; // `missingBlobs` reports the damaged blob.
    });
    counted.blob(size);
  };
  let end: string | undefined;
  for (let entry = await backup.next(); entry; entry = await backup.next()) {
    const digest = digestOfBlob(entry.name);
    if (entry.name === endName) end = await textOf(entry);
    else if (digest === undefined || end)
      throw new Invalid(`The backup is damaged: it contains an unknown entry, ${entry.name}.`);
    else if (entry.size > short.bytes) await store(digest, entry.bytes, entry.size);
    else {
      const bytes = await bytesOf(entry);
      if (writes.size >= short.atOnce) await Promise.race(writes);
      const write = store(digest, [bytes], bytes.length).finally(() => writes.delete(write));
      write.catch(() => {}); // The error is thrown below, unless another error is thrown first.
      writes.add(write);
    }
  }
  await Promise.all(writes);
  if (end === undefined) throw new Invalid('The backup is truncated: its last entry is missing.');
  return endSchema.parse(JSON.parse(end)).missing;
}

/**
 * Finds blobs that rows refer to but that were not restored.
 * @returns their digests
 * @throws Invalid if the backup should have contained one of them
 */
async function missingBlobs(
  client: CopyConnection,
  blobs: BlobStore,
  expected: readonly string[],
): Promise<string[]> {
  const missing: string[] = [];
  for await (const rows of referencedDigests(client)) {
    const lengths = await pMap(rows, ({ digest }) => blobs.renew(digest), { concurrency: blobsAtOnce });
    for (const [index, { digest }] of rows.entries()) if (lengths[index] === undefined) missing.push(digest);
  }
  const known = new Set(expected);
  const lost = missing.find((digest) => !known.has(digest));
  if (lost !== undefined) throw new Invalid(`The backup is damaged: the blob ${lost} is missing.`);
  return missing;
}

/**
 * Restores a backup in one transaction, which is rolled back if anything fails.
 * @param isReplaced whether to delete existing rows first; otherwise, a database that contains rows is an error
 */
export async function restoreBackup(
  { database, blobs }: RestoreTarget,
  file: string,
  { signal, onProgress, isReplaced }: BackupOptions & { readonly isReplaced: boolean },
): Promise<BackupReport & Pick<Manifest, 'tokenKey'>> {
  const backup = await openBackup(file, signal);
  const counted = counter(backup.manifest, onProgress);
  try {
    const missing = await database.transaction(maxBackupSeconds, async (connection) => {
      const client = abortableClient(signal, connection);
      await lockStartUp(client);
      await writeTables(client, backup.manifest, rowsOf(backup, counted), isReplaced);
      const expected = await storeBlobs(backup, blobs, counted);
      return missingBlobs(client, blobs, expected);
    });
    return { ...counted.now(), missing, tokenKey: backup.manifest.tokenKey };
  } finally {
    await backup.close();
  }
}
