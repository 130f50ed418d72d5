import { pMapIterable } from 'p-map';
import type { BlobStore } from '../blobs/blob-store.ts';
import { BlobMissing } from '../blobs/faults.ts';
import { abortableClient } from '../db/abortable-client.ts';
import { readTables } from '../db/copy/read-tables.ts';
import type { RowBatch, TableContents } from '../db/copy/table-contents.ts';
import type { Client, Database } from '../db/database.ts';
import { buildVersion } from '../db/migration-files.ts';
import { Invalid } from '../errors.ts';
import { referencedDigests } from '../store/blobs/referenced-digests.ts';
import { type ArchiveWriter, writeArchive } from './archive.ts';
import { blobName, endName, type Manifest, manifestName, newManifest, partName, rowsIn } from './format.ts';
import { type BackupOptions, type BackupReport, type Counter, counter } from './report.ts';

/** Bytes. */
const shortBlob = 1_000_000;

export const blobsAtOnce = 16;

/** Seconds: a transaction that only reads delays nothing but the removal of old rows. */
export const longestBackup = 7 * 86_400;

interface BackupSource {
  readonly database: Pick<Database, 'transaction'>;
  readonly blobs: BlobStore;
  readonly tokenKey: string | undefined;
}

type Reading = Pick<BackupSource, 'blobs'> & {
  readonly client: Pick<Client, 'query'>;
  readonly contents: TableContents;
};

/** Applies a function to each blob of the rows, to a few at a time: each one costs several requests to S3. */
function forBlobs<Result>({ client, contents }: Reading, of: (digest: string) => Promise<Result>) {
  const tables = contents.tables.map(({ name }) => name);
  async function* digests() {
    for await (const rows of referencedDigests(client, tables)) yield* rows.map(({ digest }) => digest);
  }
  return pMapIterable(digests(), of, { concurrency: blobsAtOnce });
}

/** What there is to store. Each blob counts as new from now on: no sweep deletes it for a day. */
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

/** The bytes of short blobs alone, which are read at once: a stream takes twice the time. */
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

/** Writes all rows as they are at one moment, and the blobs that they refer to, into a new file. */
export function writeBackup(
  { database, blobs, tokenKey }: BackupSource,
  file: string,
  { signal, onProgress }: BackupOptions,
): Promise<BackupReport> {
  return database.transaction(longestBackup, async (given) => {
    const client = abortableClient(signal, given);
    const { contents, batches } = await readTables(client);
    if (rowsIn(contents) <= contents.migrations.length) {
      throw new Invalid('the database has no rows: there is nothing to back up');
    }
    const reading = { client, contents, blobs };
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
