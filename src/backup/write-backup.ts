import { pMapIterable } from 'p-map';
import type { BlobStore } from '../blobs/blob-store.ts';
import { BlobMissing } from '../blobs/faults.ts';
import { abortableClient } from '../db/abortable-client.ts';
import { readTables } from '../db/copy/read-tables.ts';
import type { RowBatch } from '../db/copy/table-contents.ts';
import type { Client, Database } from '../db/database.ts';
import { buildVersion } from '../db/migration-files.ts';
import { Invalid } from '../errors.ts';
import { referencedDigests } from '../store/blobs/referenced-digests.ts';
import { type ArchiveWriter, writeArchive } from './archive.ts';
import { blobName, endName, type Manifest, manifestName, newManifest, partName, rowsIn } from './format.ts';
import { type BackupOptions, type BackupReport, type Counter, counter } from './report.ts';

/** The maximum number of bytes in blobs that are read into memory completely. */
const shortBlob = 1_000_000;

export const blobsAtOnce = 16;

/**
 * The timeout of the backup's transaction, in seconds. A long read-only transaction does no harm except that it delays
 * the cleanup of old row versions.
 */
export const maxBackupSeconds = 7 * 86_400;

interface BackupSource {
  readonly database: Pick<Database, 'transaction'>;
  readonly blobs: BlobStore;
  readonly tokenKey: string | undefined;
}

type Reading = Pick<BackupSource, 'blobs'> & { readonly client: Pick<Client, 'query'> };

/**
 * Calls a function for each blob that rows refer to. Several calls run concurrently, because each may need several S3
 * requests.
 */
function forBlobs<Result>({ client }: Reading, of: (digest: string) => Promise<Result>) {
  async function* digests() {
    for await (const rows of referencedDigests(client)) yield* rows.map(({ digest }) => digest);
  }
  return pMapIterable(digests(), of, { concurrency: blobsAtOnce });
}

/** Counts the blobs and restarts their grace periods, so that they are not swept for a day. */
async function measureBlobs(reading: Reading): Promise<Manifest['blobs']> {
  const { blobs } = reading;
  const sizeOf = async (digest: string) => (await blobs.renew(digest)) ?? (await blobs.lengthOf(digest));
  const total = { count: 0, bytes: 0 };
  for await (const size of forBlobs(reading, sizeOf)) {
    if (size === undefined) continue;
    total.count += 1;
    total.bytes += size;
  }
  return total;
}

async function addRows(archive: ArchiveWriter, batches: AsyncIterable<RowBatch>, counted: Counter) {
  for await (const { table, lines } of batches) {
    if (lines.length === 0) continue;
    const text = `${lines.join('\n')}\n`;
    await archive.addText(partName(table, text), text);
    counted.rows(lines.length);
  }
}

const undefinedIfMissing = (error: unknown): undefined => {
  if (!(error instanceof BlobMissing)) throw error;
};

/** Finds a blob. Short blobs are read into memory, because streaming them would take twice as long. */
async function findBlob(blobs: BlobStore, digest: string) {
  const size = await blobs.lengthOf(digest);
  const isShort = size !== undefined && size <= shortBlob;
  return { digest, size, bytes: isShort ? await blobs.readAll(digest).catch(undefinedIfMissing) : undefined };
}

async function addBlobs(archive: ArchiveWriter, reading: Reading, counted: Counter): Promise<string[]> {
  const { blobs } = reading;
  const missing: string[] = [];
  for await (const { digest, size, bytes } of forBlobs(reading, (each) => findBlob(blobs, each))) {
    const isLong = size !== undefined && !bytes;
    const content = isLong ? await blobs.read(digest).catch(undefinedIfMissing) : bytes;
    if (size === undefined || !content) {
      missing.push(digest);
      continue;
    }
    const stored = await archive.addBlob(blobName(digest), content, size);
    if (stored !== digest) missing.push(digest);
    counted.blob(size);
  }
  return missing;
}

/** Writes a consistent snapshot of all rows to a new file, together with the blobs that the rows refer to. */
export function writeBackup(
  { database, blobs, tokenKey }: BackupSource,
  file: string,
  { signal, onProgress }: BackupOptions,
): Promise<BackupReport> {
  return database.transaction(maxBackupSeconds, async (connection) => {
    const client = abortableClient(signal, connection);
    const { contents, batches } = await readTables(client);
    if (rowsIn(contents) <= contents.migrations.length) {
      throw new Invalid('The database has no rows, so there is nothing to back up.');
    }
    const reading = { client, blobs };
    const manifest = newManifest({
      build: await buildVersion(),
      createdAt: new Date().toISOString(),
      ...contents,
      blobs: await measureBlobs(reading),
      tokenKey,
    });
    const counted = counter(manifest, onProgress);
    let missing: string[] = [];
    await writeArchive(file, signal, async (archive) => {
      await archive.addText(manifestName, JSON.stringify(manifest, null, 2));
      await addRows(archive, batches, counted);
      missing = await addBlobs(archive, reading, counted);
      await archive.addText(endName, JSON.stringify({ missing }));
    });
    return { ...counted.now(), missing };
  });
}
