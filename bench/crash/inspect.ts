import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { openBlobStore } from '../../src/blobs/open-blob-store.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import type { Document } from '../../src/generated/prisma/client.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { sweepBlobs } from '../../src/store/blobs/sweep-blobs.ts';
import { checks } from '../../src/store/checks/index.ts';
import { oldestChange } from '../../src/store/search/search-changes.ts';
import type { Settings } from './target.ts';

/** The maximum time for indexing committed changes, in milliseconds. */
const indexTimeout = 10_000;

/** Returns whether the search index catches up in time. A server must be running. */
async function isCaughtUp(database: Database): Promise<boolean> {
  const end = performance.now() + indexTimeout;
  while ((await oldestChange(database)) !== undefined) {
    if (performance.now() > end) return false;
    await wait(50);
  }
  return true;
}

/** The state of the tables and the blob store while no server is writing to them. */
export interface Inspection {
  /** Descriptions of all inconsistencies. */
  readonly faults: readonly string[];
  /** The paths of all documents. */
  readonly paths: ReadonlySet<string>;
  readonly blobs: number;
  /**
   * The number of files in the blob store that no document refers to. They are left over from interrupted requests and
   * replaced blobs.
   */
  readonly swept: number;
}

/**
 * Checks that each change of a document has exactly one log entry, which was written in the same transaction, and that
 * there are no other log entries.
 */
async function logFaults(
  prisma: Database['prisma'],
  documents: readonly Document[],
  gone: ReadonlySet<string>,
): Promise<string[]> {
  const eventId = { in: ['documentCreated', 'documentCreatedByCopy', 'documentCheckedIn'] };
  const entries = await prisma.logEntry.findMany({ where: { eventId } });
  const known = new Set(documents.map(({ id }) => id));
  const madeOf = (id: string) => documents.filter(({ liveId }) => liveId === id).length;
  const checkIns = new Map<string, number>();
  for (const { eventId: event, docUuid } of entries) {
    if (event !== 'documentCheckedIn' || !docUuid) continue;
    checkIns.set(docUuid, (checkIns.get(docUuid) ?? 0) + 1);
  }
  return [
    ...entries
      .filter(({ docUuid }) => !known.has(docUuid ?? '') && !gone.has(docUuid ?? ''))
      .map(({ docPath }) => `${docPath} is in the log, but there is no such document`),
    ...documents
      .filter(({ id, isVersion }) => !isVersion && madeOf(id) !== (checkIns.get(id) ?? 0))
      .map(
        ({ id, path }) =>
          `${path} has ${madeOf(id)} versions, but the log has ${checkIns.get(id) ?? 0} check-ins`,
      ),
  ];
}

/**
 * Runs the checks of `quire check`, including the comparison of all blobs with their digests. A server must be
 * running.
 */
async function checkFaults(database: Database, blobs: BlobStore): Promise<string[]> {
  const faults: string[] = [];
  if (!(await isCaughtUp(database))) faults.push('The search index is still behind.');
  for (const { name, run } of checks)
    await run({
      database,
      blobs,
      model: await loadModel(undefined),
      isRepairing: false,
      readsBytes: true,
      signal: new AbortController().signal,
      onProgress: () => {},
      onFault: ({ kind, path, id, message }) =>
        faults.push(`${name}/${kind}: ${path ?? ''} ${id ?? ''} ${message}`),
    });
  return faults;
}

/** Reads the digests of files in upload batches, and checks that the byte count of each batch is correct. */
async function uploads(prisma: Database['prisma']): Promise<{ digests: string[]; faults: string[] }> {
  const batches = await prisma.uploadBatch.findMany({ include: { files: { include: { chunks: true } } } });
  const sizeOf = ({ files }: (typeof batches)[number]) =>
    files
      .flatMap(({ chunkCount, size, chunks }) =>
        chunkCount === null ? [size] : chunks.map((one) => one.length),
      )
      .reduce((sum, size) => sum + size, 0n);
  const files = batches.flatMap((batch) => batch.files);
  const digests = files.flatMap(({ digest, chunks }) => [digest, ...chunks.map((one) => one.digest)]);
  return {
    digests: digests.filter((digest) => digest !== null),
    faults: batches
      .filter((batch) => batch.bytes !== sizeOf(batch))
      .map((batch) => `upload ${batch.id} counts ${batch.bytes} bytes, but contains ${sizeOf(batch)}`),
  };
}

/** Checks that every running workflow has an open task and that finished workflows have none. */
async function taskFaults(prisma: Database['prisma']): Promise<string[]> {
  const workflows = await prisma.workflow.findMany({ include: { tasks: true } });
  return workflows.flatMap(({ id, state, tasks }) => {
    const open = tasks.filter((task) => task.state === 'opened').length;
    const wanted = state === 'running' ? 1 : 0;
    return open === wanted ? [] : [`workflow ${id} is ${state}, with ${open} open tasks`];
  });
}

/** Lists temporary files that are older than a given time. Newer ones belong to jobs of the restarted server. */
async function filesBefore(moment: number, folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      ),
    ),
  );
  return names.filter((_, index) => (times[index] ?? 0) < moment);
}

/**
 * Deletes all unreferenced data and checks the rest. No server may be writing.
 * @param gone the ids of deleted documents
 */
export async function inspect(settings: Settings, gone: ReadonlySet<string>): Promise<Inspection> {
  const config = readConfig({ ...settings });
  const { database } = await openDatabase(config);
  try {
    const blobs = await openBlobStore(config);
    const began = Date.now();
    const swept = await sweepBlobs(database, blobs, 0);
    const documents = await database.prisma.document.findMany();
    const rows = await database.prisma.documentBlob.findMany();
    const made = await database.prisma.rendition.findMany();
    const unfinished = settings.BLOB_STORE === undefined ? 'blobs/unfinished' : 'spool';
    const left = await filesBefore(began, join(settings.DATA_DIR, unfinished));
    const uploaded = await uploads(database.prisma);
    const kept: string[] = [];
    for await (const digests of blobs.list()) kept.push(...digests);
    const wanted = new Set([...rows, ...made].map(({ digest }) => digest).concat(uploaded.digests));
    const faults = [
      ...(await checkFaults(database, blobs)),
      ...(await logFaults(database.prisma, documents, gone)),
      ...uploaded.faults,
      ...(await taskFaults(database.prisma)),
      ...left.map((name) => `temporary file left over: ${name}`),
      ...kept.filter((name) => !wanted.has(name)).map((name) => `unreferenced file: ${name}`),
    ];
    return { faults, swept, blobs: wanted.size, paths: new Set(documents.map(({ path }) => path)) };
  } finally {
    await database.close();
  }
}
