import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type BlobStore, openBlobStore } from '../../src/blobs/blob-store.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import type { Document, DocumentBlob, Rendition } from '../../src/generated/prisma/client.ts';
import { sweepBlobs } from '../../src/store/blobs/sweep-blobs.ts';
import { wrongAcls } from '../../test/store/acls/acl-consistency.ts';
import { indexFaults } from './index-faults.ts';
import type { Settings } from './target.ts';
import { versionFaults } from './versions.ts';

/** What the tables and the blob store say while no server writes. */
export interface Inspection {
  /** Whatever does not fit together. */
  readonly faults: readonly string[];
  /** Paths of all documents. */
  readonly paths: ReadonlySet<string>;
  readonly blobs: number;
  /** Files that no document refers to: of requests that were cut off, and of blobs that were replaced. */
  readonly swept: number;
}

/** Every document has a parent whose path and ancestors are the beginning of its own; names are unique below it. */
function treeFaults(documents: readonly Document[]): string[] {
  const byId = new Map(documents.map((document) => [`${document.repository} ${document.id}`, document]));
  const faults: string[] = [];
  const names = new Set<string>();
  for (const { repository, id, parentId, ancestorIds, name, path, isTrashed } of documents) {
    if (parentId === null) {
      if (path !== '/' || ancestorIds.length > 0) faults.push(`${path} (${id}) is no root`);
      continue;
    }
    const parent = byId.get(`${repository} ${parentId}`);
    const place = `${repository} ${parentId} ${name}`;
    if (names.has(place)) faults.push(`${path} is there twice`);
    names.add(place);
    if (!parent) {
      faults.push(`${path} (${id}) has no parent`);
      continue;
    }
    const expected = `${parent.path === '/' ? '' : parent.path}/${name}`;
    if (path !== expected) faults.push(`${path} (${id}) should be at ${expected}`);
    if (`${ancestorIds}` !== `${[...parent.ancestorIds, parentId]}`) faults.push(`${path}: other ancestors`);
    if (parent.isTrashed && !isTrashed) faults.push(`${path} is not in the trash, and its folder is`);
  }
  return faults;
}

/** What was done to documents has its entry in the log, by the same transaction; and what was not done has none. */
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
      .map(({ docPath }) => `${docPath} is in the log, and nowhere else`),
    ...documents
      .filter(({ id, isVersion }) => !isVersion && madeOf(id) !== (checkIns.get(id) ?? 0))
      .map(({ id, path }) => `${path} has ${madeOf(id)} versions; by the log, ${checkIns.get(id) ?? 0}`),
  ];
}

interface Stored {
  readonly digest: string;
  readonly length: number;
}

/** The blobs that a document's properties hold, by xpath: found by their shape, without the model. */
function blobsIn(value: unknown, xpath = '', found = new Map<string, Stored>()): Map<string, Stored> {
  if (typeof value !== 'object' || value === null) return found;
  const { digest, length } = value as Partial<Stored>;
  if (typeof digest === 'string' && typeof length === 'number') return found.set(xpath, { digest, length });
  for (const [key, inner] of Object.entries(value)) blobsIn(inner, xpath ? `${xpath}/${key}` : key, found);
  return found;
}

/** `document_blob` names the blobs that the properties hold, and no others. */
function referenceFaults(documents: readonly Document[], rows: readonly DocumentBlob[]): string[] {
  const held = documents.flatMap(({ id, properties }) =>
    [...blobsIn(properties)].map(([xpath, { digest }]) => `${id} ${xpath} ${digest}`),
  );
  const named = rows.map(({ documentId, xpath, digest }) => `${documentId} ${xpath} ${digest}`);
  const [inProperties, inTable] = [new Set(held), new Set(named)];
  return [
    ...held.filter((blob) => !inTable.has(blob)).map((blob) => `not in document_blob: ${blob}`),
    ...named.filter((blob) => !inProperties.has(blob)).map((blob) => `in document_blob only: ${blob}`),
  ];
}

async function sha256(bytes: Readable): Promise<Stored> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    hash.update(chunk);
    length += chunk.byteLength;
  }
  return { digest: hash.digest('hex'), length };
}

/** Every blob that a document holds, or that was made of one, has its length and its digest in the store. */
async function fileFaults(
  documents: readonly Document[],
  made: readonly Rendition[],
  blobs: BlobStore,
): Promise<string[]> {
  const faults: string[] = [];
  const lengths = new Map<string, number>();
  const check = async (where: string, { digest, length }: Stored) => {
    const known =
      lengths.get(digest) ??
      (await blobs
        .read(digest)
        .then(sha256)
        .then(
          (is) => (is.digest === digest ? is.length : -1),
          () => -1,
        ));
    lengths.set(digest, known);
    if (known !== length) faults.push(`${where}: no file with these ${length} bytes: ${digest}`);
  };
  for (const { path, properties } of documents)
    for (const [xpath, stored] of blobsIn(properties)) await check(`${path} ${xpath}`, stored);
  for (const { sourceDigest, converter, digest, length } of made)
    if (digest !== null) await check(`${converter} of ${sourceDigest}`, { digest, length: Number(length) });
  return faults;
}

/** The files that uploads refer to; each batch has as many bytes as it counts. */
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
      .map((batch) => `upload ${batch.id} counts ${batch.bytes} bytes, and has ${sizeOf(batch)}`),
  };
}

/** Each running workflow has a task to be ended; one that is over has none. */
async function taskFaults(prisma: Database['prisma']): Promise<string[]> {
  const workflows = await prisma.workflow.findMany({ include: { tasks: true } });
  return workflows.flatMap(({ id, state, tasks }) => {
    const open = tasks.filter((task) => task.state === 'opened').length;
    const wanted = state === 'running' ? 1 : 0;
    return open === wanted ? [] : [`workflow ${id} is ${state}, with ${open} open tasks`];
  });
}

/** Temporary files that were there before: jobs of the server that runs again have others. */
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
 * Sweeps what nothing refers to, and looks at everything that is kept. No server may be writing.
 * @param gone ids of documents that were there.
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
      ...treeFaults(documents.filter(({ isVersion }) => !isVersion)),
      ...versionFaults(documents),
      ...referenceFaults(documents, rows),
      ...(await fileFaults(documents, made, blobs)),
      ...(await wrongAcls({ database })),
      ...(await logFaults(database.prisma, documents, gone)),
      ...uploaded.faults,
      ...(await taskFaults(database.prisma)),
      ...(await indexFaults(database)),
      ...left.map((name) => `left unfinished: ${name}`),
      ...kept.filter((name) => !wanted.has(name)).map((name) => `kept for nothing: ${name}`),
    ];
    return { faults, swept, blobs: wanted.size, paths: new Set(documents.map(({ path }) => path)) };
  } finally {
    await database.close();
  }
}
