import type { Readable } from 'node:stream';
import type ZipStream from 'zip-stream';
import { Invalid } from '../../errors.ts';
import { type BlobShape, documentBlobs } from '../../model/values/document-blob.ts';
import type { Query } from '../../query/ast.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
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

/** What no file system takes as a name, or takes for another folder. */
export const entryName = (name: string): string =>
  name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+$/, '_') || '_';

/** Files by their names, which are made different within the folder. */
export function blobEntries(
  { blobs }: Context,
  folder: string,
  all: readonly BlobShape[],
  date: Date,
): ZippedFile[] {
  const taken = new Set([documentFile]);
  return all.map((blob, index) => {
    const wanted = entryName(blob.name ?? 'file');
    const name = taken.has(wanted) ? `${index}-${wanted}` : wanted;
    taken.add(name);
    const content = blob.text ?? (() => blobs.read(blob.digest));
    return { name: `${folder}${name}`, content, date };
  });
}

/** A document as XML, and its files. @param folder ends with a slash, or is empty. */
async function entriesOf(context: Context, document: DocumentRow, folder: string): Promise<ZippedFile[]> {
  const xml = await documentXml(context, document);
  const date = new Date(String(document.properties['dc:modified'] ?? 0));
  const files = documentBlobs(context.model, document);
  return [
    { name: `${folder}${documentFile}`, content: xml, date },
    ...blobEntries(context, folder, files, date),
  ];
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

async function* treeEntries(context: Context, top: DocumentRow): AsyncGenerator<ZippedFile> {
  const name = entryName(top.name || 'root');
  yield* await entriesOf(context, top, `${name}/`);
  const prefix = top.path === '/' ? '/' : `${top.path}/`;
  for await (const page of below(context, top)) {
    const folderOf = ({ path }: DocumentRow) => path.slice(prefix.length).split('/').map(entryName).join('/');
    const found = await Promise.all(page.map((row) => entriesOf(context, row, `${name}/${folderOf(row)}/`)));
    yield* found.flat();
  }
}

async function* documentEntries(context: Context, document: DocumentRow): AsyncGenerator<ZippedFile> {
  yield* await entriesOf(context, document, '');
}

/** One entry after the other, each as fast as the archive is written. */
async function fill(zip: ZipStream, entries: AsyncIterable<ZippedFile>): Promise<void> {
  for await (const { name, content, date } of entries) {
    const source = typeof content === 'string' ? content : await content();
    await new Promise<void>((resolve, reject) => {
      if (typeof source !== 'string') source.once('error', reject);
      zip.entry(source, { name, date }, (error) => (error ? reject(error) : resolve()));
    });
  }
  zip.finalize();
}

export async function writeZip(
  { blobs }: Pick<Context, 'blobs'>,
  name: string,
  entries: AsyncIterable<ZippedFile>,
): Promise<BlobShape> {
  const { default: Zip } = await import('zip-stream');
  const zip = new Zip({ zlib: { level: 6 } });
  const filling = fill(zip, entries).catch((error: Error) => {
    zip.destroy(error);
    throw error;
  });
  const [stored] = await Promise.all([blobs.write(zip), filling]);
  return { name, mimeType: 'application/zip', encoding: null, ...stored };
}

/** An archive of a document, or of a folder with all below it that the caller may read. */
export const zipOf = (
  context: Context,
  document: DocumentRow,
  kind: 'document' | 'tree',
): Promise<BlobShape> =>
  writeZip(
    context,
    `${entryName(document.name || 'root')}.zip`,
    kind === 'tree' ? treeEntries(context, document) : documentEntries(context, document),
  );

async function* entriesOfBlobs(context: Context, all: readonly BlobShape[]): AsyncGenerator<ZippedFile> {
  yield* blobEntries(context, '', all, beginning);
}

/** An archive of files. @param name that of the first file when it is empty. */
export const zipOfBlobs = (context: Context, all: readonly BlobShape[], name: string): Promise<BlobShape> =>
  writeZip(context, entryName(name || `${all[0]?.name ?? 'files'}.zip`), entriesOfBlobs(context, all));
