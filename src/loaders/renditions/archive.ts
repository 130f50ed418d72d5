import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import type ZipStream from 'zip-stream';
import { Invalid, Unavailable } from '../../errors.ts';
import { type BlobShape, documentBlobs } from '../../model/values/document-blob.ts';
import type { Query } from '../../query/ast.ts';
import type { Using } from '../../scope.ts';
import type { RequestTurn } from '../../services.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { type ArchiveFolder, archiveFolder, entryName } from './archive-folder.ts';
import { documentXml } from './xml-export.ts';

/** More documents in one archive are refused: its files are read while the request waits. */
const mostDocuments = 10_000;

const pageSize = 500;

const documentFile = 'document.xml';

/** Of files without a date of their own. */
export const beginning = new Date(0);

export interface ZippedFile {
  readonly name: string;
  readonly content: string | (() => Promise<Readable>);
  /** Equal documents make equal bytes, so that an archive is kept once. */
  readonly date: Date;
}

interface SizedFile extends ZippedFile {
  readonly length: number;
}

/** Files that are known before the first of them is read. */
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

/** A document as XML, and its files. They have their names before those of documents that follow. */
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

/** Readable documents below a folder, page by page. @throws Invalid when there are too many. */
async function* below(context: Context, { id, path }: DocumentRow): AsyncGenerator<readonly DocumentRow[]> {
  const plain = { pageSize, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };
  let cursor: string | undefined = '*';
  for (let count = 0; cursor !== undefined; ) {
    const { rows, nextCursor } = await context.load.search(treeQuery(id), { ...plain, cursor });
    count += rows.length;
    if (count > mostDocuments)
      throw new Invalid(`${path} has more than ${mostDocuments} documents: export the folders in it`);
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

/** Of an archive that is destroyed, whose entries are never called back. */
const givenUp = new Error('the archive was given up');

function addEntry(zip: ZipStream, source: string | Readable, { name, date }: ZippedFile): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      if (typeof source !== 'string') source.destroy();
      reject(givenUp);
    };
    if (zip.destroyed) return stop();
    zip.once('close', stop);
    if (typeof source !== 'string') source.once('error', reject);
    zip.entry(source, { name, date }, (error) => {
      zip.off('close', stop);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** One entry after the other, each as fast as the archive is written. */
async function fill(zip: ZipStream, entries: AsyncIterable<ZippedFile>): Promise<void> {
  for await (const entry of entries) {
    const { content } = entry;
    await addEntry(zip, typeof content === 'string' ? content : await content(), entry);
  }
  zip.finalize();
}

/** @param signal its reason is thrown when it is aborted. */
export async function writeZip(
  { services: { blobs } }: Using<'blobs'>,
  name: string,
  entries: AsyncIterable<ZippedFile>,
  signal?: AbortSignal,
): Promise<BlobShape> {
  const { default: Zip } = await import('zip-stream');
  const zip = new Zip({ zlib: { level: 6 } });
  const stop = () => zip.destroy(signal?.reason as Error);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop);
  // What fails while it is filled fails while it is read, too.
  const filling = fill(zip, entries).catch((error: Error) => void zip.destroy(error));
  try {
    return { name, mimeType: 'application/zip', encoding: null, ...(await blobs.write(zip)) };
  } finally {
    zip.destroy();
    await filling;
    signal?.removeEventListener('abort', stop);
  }
}

/** @throws Invalid before a file is read that is too much. */
async function* withinLimit(pages: Pages, limit: number): AsyncGenerator<ZippedFile> {
  let length = 0;
  for await (const page of pages) {
    for (const file of page) length += file.length;
    if (length > limit)
      throw new Invalid(`an archive is of ${limit} bytes of files at most, UPLOAD_LIMIT: ask for fewer`);
    yield* page;
  }
}

async function whileWanted<T>(
  { response, signal }: RequestTurn,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leaving = new AbortController();
  const leave = () => leaving.abort(new Unavailable('the client has left'));
  response?.once('close', leave);
  try {
    if (response?.closed) leave();
    return await work(signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal);
  } finally {
    response?.off('close', leave);
  }
}

/** An operation on a list asks for many at once, which wait as one request. */
const ofRequest = new WeakMap<RequestTurn, ReturnType<typeof pLimit>>();

/** An archive that a user asks for, in turn: it may read as much as a file may have. */
export const zipInTurn = (context: Context, name: string, pages: Pages): Promise<BlobShape> => {
  const { services, searchTurn: turn } = context;
  const oneByOne = ofRequest.get(turn) ?? pLimit(1);
  ofRequest.set(turn, oneByOne);
  const zipped = (signal: AbortSignal) =>
    writeZip(context, name, withinLimit(pages, services.config.UPLOAD_LIMIT), signal);
  return oneByOne(() => services.archiveTurns.take(turn, () => whileWanted(turn, zipped)));
};

/** An archive of a document, or of a folder with all below it that the caller may read. */
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

/** An archive of files. @param name that of the first file when it is empty. */
export const zipOfBlobs = (context: Context, all: readonly BlobShape[], name: string): Promise<BlobShape> =>
  zipInTurn(context, entryName(name || `${all[0]?.name ?? 'files'}.zip`), entriesOfBlobs(context, all));
