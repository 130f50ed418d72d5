import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import pLimit from 'p-limit';
import type { ZipFile } from 'yazl';
import { Invalid, Unavailable } from '../../errors.ts';
import { type BlobShape, documentBlobs } from '../../model/values/document-blob.ts';
import type { Query } from '../../query/ast.ts';
import type { Using } from '../../scope.ts';
import type { RequestTurn } from '../../services.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { type ArchiveFolder, archiveFolder, entryName } from './archive-folder.ts';
import { documentXml } from './xml-export.ts';

/**
 * The maximum number of documents in an archive. It is limited because the request waits until all their files have
 * been read.
 */
const maxDocuments = 10_000;

const pageSize = 500;

const documentFile = 'document.xml';

/** The date in archives of files that do not have a date. */
export const beginning = new Date(0);

export interface ZippedFile {
  readonly name: string;
  readonly content: string | (() => Promise<Readable>);
  /** A fixed date, so that archives of equal documents are equal and stored only once. */
  readonly date: Date;
}

interface SizedFile extends ZippedFile {
  readonly length: number;
}

/**
 * The files of an archive, in batches. The sizes of all files in a batch are known before the first of them is read.
 */
export type Pages = AsyncGenerator<readonly SizedFile[]>;

export const fileEntry = (
  { services: { blobs } }: Context,
  folder: ArchiveFolder,
  blob: BlobShape,
  date = beginning,
): SizedFile => ({
  name: folder.fileAt(blob.name ?? 'file'),
  content: blob.text ?? (() => blobs.read(blob.digest)),
  date,
  length: blob.length,
});

const documentsFolder = (path = ''): ArchiveFolder => archiveFolder(path, [documentFile]);

/** Returns the archive entries for a document: its XML and its files. */
async function entriesOf(
  context: Context,
  document: DocumentRow,
  folder: ArchiveFolder,
): Promise<SizedFile[]> {
  const date = new Date(String(document.properties['dc:modified'] ?? 0));
  const files = documentBlobs(context.services.model, document).map((blob) =>
    fileEntry(context, folder, blob, date),
  );
  const xml = await documentXml(context, document);
  const name = `${folder.path}${documentFile}`;
  return [{ name, content: xml, date, length: Buffer.byteLength(xml) }, ...files];
}

const treeQuery = (id: string): Query => ({
  select: '*',
  from: ['Document'],
  where: {
    kind: 'and',
    of: [
      { kind: 'compare', property: 'ecm:ancestorId', op: '=', value: id },
      { kind: 'compare', property: 'ecm:isVersion', op: '=', value: false },
      { kind: 'compare', property: 'ecm:isTrashed', op: '=', value: false },
    ],
  },
  orderBy: [{ property: 'ecm:path', isAscending: true }],
});

/**
 * Finds the readable documents below a folder, page by page.
 * @throws Invalid if there are too many
 */
async function* below(context: Context, { id, path }: DocumentRow): AsyncGenerator<readonly DocumentRow[]> {
  const plain = { pageSize, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };
  let cursor: string | undefined = '*';
  for (let count = 0; cursor !== undefined; ) {
    const { rows, nextCursor } = await context.load.search(treeQuery(id), { ...plain, cursor });
    count += rows.length;
    if (count > maxDocuments)
      throw new Invalid(`${path} has more than ${maxDocuments} documents. Export its subfolders instead.`);
    yield rows;
    cursor = nextCursor;
  }
}

async function* treeEntries(context: Context, top: DocumentRow): Pages {
  const folder = documentsFolder(`${entryName(top.name || 'root')}/`);
  yield await entriesOf(context, top, folder);
  const prefix = top.path === '/' ? '/' : `${top.path}/`;
  for await (const page of below(context, top)) {
    const found = page.map((row) => {
      const names = row.path.slice(prefix.length).split('/');
      return entriesOf(context, row, folder.below(names));
    });
    yield (await Promise.all(found)).flat();
  }
}

async function* documentEntries(context: Context, document: DocumentRow): Pages {
  yield await entriesOf(context, document, documentsFolder());
}

/**
 * Ends the remaining entries of a destroyed archive. Their streams would otherwise stay open, because the library never
 * reads them.
 */
const archiveDestroyed = new Error('The archive was destroyed before all entries were written.');

/** The times that a zip file can contain, in milliseconds since 1970. The library throws an error for other times. */
const zipTimes = { first: Date.UTC(1980, 0, 2), last: Date.UTC(2099, 11, 31) };

const zipTime = (date: Date): Date =>
  new Date(Math.min(Math.max(date.getTime(), zipTimes.first), zipTimes.last));

/** Adds an entry, and resolves when its content has been read. */
async function addEntry(zip: ZipFile, content: string | Readable, { name, date }: ZippedFile): Promise<void> {
  const source = typeof content === 'string' ? Readable.from([Buffer.from(content)]) : content;
  const stop = () => source.destroy(archiveDestroyed);
  const output = zip.outputStream as Readable;
  if (output.destroyed) stop();
  else zip.addReadStream(source, name, { mtime: zipTime(date), compressionLevel: 6 });
  output.once('close', stop);
  try {
    await finished(source);
  } finally {
    output.off('close', stop);
  }
}

/** Adds entries one after the other. Each entry is read only as fast as the archive is written. */
async function fill(zip: ZipFile, entries: AsyncIterable<ZippedFile>): Promise<void> {
  for await (const entry of entries) {
    const { content } = entry;
    await addEntry(zip, typeof content === 'string' ? content : await content(), entry);
  }
  zip.end();
}

/**
 * Writes an archive to the blob store.
 * @param signal aborts writing; the reason for the abort is thrown
 */
export async function writeZip(
  { services: { blobs } }: Using<'blobs'>,
  name: string,
  entries: AsyncIterable<ZippedFile>,
  signal?: AbortSignal,
): Promise<BlobShape> {
  signal?.throwIfAborted();
  const { ZipFile: Zip } = await import('yazl');
  const zip = new Zip();
  const output = zip.outputStream as Readable;
  // Destroying the output makes `blobs.write` fail with the same error.
  const fail = (error: Error) => void output.destroy(error);
  const stop = () => fail(signal?.reason as Error);
  zip.on('error', fail);
  signal?.addEventListener('abort', stop);
  const filling = fill(zip, entries).catch(fail);
  try {
    return { name, mimeType: 'application/zip', encoding: null, ...(await blobs.write(output)) };
  } finally {
    output.destroy();
    await filling;
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * Passes files on as long as their total size is within the limit.
 * @throws Invalid before the limit would be exceeded
 */
async function* withinLimit(pages: Pages, limit: number): AsyncGenerator<ZippedFile> {
  let length = 0;
  for await (const page of pages) {
    for (const file of page) length += file.length;
    if (length > limit)
      throw new Invalid(
        `An archive can contain at most ${limit} bytes of files (UPLOAD_LIMIT). Request fewer files.`,
      );
    yield* page;
  }
}

/** Calls a function with a signal that is aborted when the client disconnects or the request is aborted. */
async function whileConnected<T>(
  { response, signal }: RequestTurn,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const disconnected = new AbortController();
  const abort = () => disconnected.abort(new Unavailable('The client has closed the connection.'));
  response?.once('close', abort);
  try {
    if (response?.closed) abort();
    return await work(signal ? AbortSignal.any([signal, disconnected.signal]) : disconnected.signal);
  } finally {
    response?.off('close', abort);
  }
}

/**
 * A queue of archives for each request. An operation on a list can request many archives at once. The queue creates
 * them one at a time, so that turns remain free for other requests.
 */
const queues = new WeakMap<RequestTurn, ReturnType<typeof pLimit>>();

/**
 * Creates an archive when it is the user's turn. The total size of its files is subject to the limit for a single file.
 */
export const zipInTurn = (context: Context, name: string, pages: Pages): Promise<BlobShape> => {
  const { services, searchTurn: turn } = context;
  const oneByOne = queues.get(turn) ?? pLimit(1);
  queues.set(turn, oneByOne);
  const zipped = (signal: AbortSignal) =>
    writeZip(context, name, withinLimit(pages, services.config.UPLOAD_LIMIT), signal);
  return oneByOne(() => services.archiveTurns.take(turn, () => whileConnected(turn, zipped)));
};

/** Creates an archive of a document, or of a folder with everything below it that the caller can read. */
export const zipOf = (
  context: Context,
  document: DocumentRow,
  kind: 'document' | 'tree',
): Promise<BlobShape> =>
  zipInTurn(
    context,
    `${entryName(document.name || 'root')}.zip`,
    kind === 'tree' ? treeEntries(context, document) : documentEntries(context, document),
  );

async function* entriesOfBlobs(context: Context, all: readonly BlobShape[]): Pages {
  const folder = archiveFolder();
  yield all.map((blob) => fileEntry(context, folder, blob));
}

/**
 * Creates an archive of files.
 * @param name the name of the archive; if empty, it is derived from the name of the first file
 */
export const zipOfBlobs = (context: Context, all: readonly BlobShape[], name: string): Promise<BlobShape> =>
  zipInTurn(context, entryName(name || `${all[0]?.name ?? 'files'}.zip`), entriesOfBlobs(context, all));
