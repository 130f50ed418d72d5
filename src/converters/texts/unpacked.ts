import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Entry, Options, ZipFile } from 'yauzl';
import { readStart } from '../../blobs/text.ts';
import { encrypted } from '../encrypted.ts';

/** The maximum number of bytes to decompress from an archive. A small archive can decompress to any size (zip bomb). */
export const unpackedLimit = 100_000_000;

/** The maximum number of files in an archive. */
export const entryLimit = 10_000;

/** The maximum number of bytes of XML for LibreOffice. On a busy machine, thirty million bytes can take two minutes. */
const markupLimit = 25_000_000;

/**
 * The maximum number of decompressed bytes of an office file. Most of these bytes usually belong to pictures, which
 * compress poorly.
 */
const archiveLimit = 1_000_000_000;

/** Reads the next entry of an archive; undefined after the last one. */
async function nextEntry(archive: ZipFile): Promise<Entry | undefined> {
  const over = new AbortController();
  const { signal } = over;
  const entry = once(archive, 'entry', { signal }).then(([found]) => found as Entry);
  const end = once(archive, 'end', { signal }).then(() => undefined);
  archive.readEntry();
  try {
    return await Promise.race([entry, end]);
  } finally {
    over.abort();
    await Promise.allSettled([entry, end]);
  }
}

const openArchive = async (file: string): Promise<ZipFile> => {
  const { default: yauzl } = await import('yauzl');
  const open = promisify<string, Options, ZipFile>(yauzl.open);
  // The file must stay open, because entries are still read after the last one has been listed.
  return open(file, { lazyEntries: true, autoClose: false });
};

/** A file in the list of an archive. */
export interface ListedFile {
  /** The path in the archive; the name of a folder ends with a slash. */
  readonly name: string;
  /** The number of bytes when decompressed. */
  readonly size: number;
  readonly modified: Date | undefined;
  readonly isEncrypted: boolean;
}

/** Lists the files in a zip archive. @throws Error if the archive is damaged or has too many files */
export async function listedFiles(file: string): Promise<ListedFile[]> {
  const archive = await openArchive(file);
  try {
    if (archive.entryCount > entryLimit) throw new Error(`the archive has more than ${entryLimit} files`);
    const listed: ListedFile[] = [];
    for (let entry = await nextEntry(archive); entry; entry = await nextEntry(archive))
      listed.push({
        name: entry.fileName,
        size: entry.uncompressedSize,
        modified: entry.getLastModDate(),
        isEncrypted: entry.isEncrypted(),
      });
    return listed;
  } finally {
    archive.close();
  }
}

/** A file in an archive. */
export interface ArchivedFile {
  /** The path in the archive. */
  readonly name: string;
  readonly bytes: Readable;
}

/**
 * Decompresses the files of a zip archive whose names match a pattern.
 * @throws Error if the archive is damaged, encrypted or too large.
 */
export async function* unpacked(file: string, names: RegExp): AsyncGenerator<ArchivedFile> {
  const archive = await openArchive(file);
  const open = promisify<Entry, Readable>(archive.openReadStream.bind(archive));
  try {
    if (archive.entryCount > entryLimit) throw new Error(`the archive has more than ${entryLimit} files`);
    let left = unpackedLimit;
    for (let entry = await nextEntry(archive); entry; entry = await nextEntry(archive)) {
      if (!names.test(entry.fileName)) continue;
      if (entry.isEncrypted()) throw encrypted();
      left -= entry.uncompressedSize; // if the declared size is wrong, decompression fails with an error
      if (left < 0) throw new Error(`the archive has more than ${unpackedLimit} bytes when decompressed`);
      const bytes = await open(entry);
      yield { name: entry.fileName, bytes };
      bytes.destroy();
    }
  } finally {
    archive.close();
  }
}

/**
 * Checks an archive that is about to be decompressed by a program without built-in limits. Files that are not zip
 * archives are accepted.
 * @throws Error if the archive is damaged or its files are too large.
 */
export async function requireSmallArchive(file: string): Promise<void> {
  if ((await readStart(file, 2)) !== 'PK') return;
  const archive = await openArchive(file);
  try {
    if (archive.entryCount > entryLimit) throw new Error(`the archive has more than ${entryLimit} files`);
    let [bytes, markup] = [0, 0];
    for (let entry = await nextEntry(archive); entry; entry = await nextEntry(archive)) {
      bytes += entry.uncompressedSize;
      if (/\.(xml|rels)$/i.test(entry.fileName)) markup += entry.uncompressedSize;
      if (bytes > archiveLimit)
        throw new Error(`the archive has more than ${archiveLimit} bytes when decompressed`);
      if (markup > markupLimit)
        throw new Error(`the XML in the archive has more than ${markupLimit} bytes when decompressed`);
    }
  } finally {
    archive.close();
  }
}

/**
 * Reads one file of a zip archive.
 * @param names names of files in the root folder, or patterns for paths, in order of preference. If several files match
 * the same pattern, the first one by path is read.
 * @returns undefined if no file matches
 * @throws Error if the archive is damaged, or the file is encrypted or larger than `maxBytes` when decompressed.
 */
export async function readEntry(
  file: string,
  names: ReadonlyArray<RegExp | string>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const archive = await openArchive(file);
  try {
    if (archive.entryCount > entryLimit) throw new Error(`the archive has more than ${entryLimit} files`);
    const ranked: Array<{ readonly entry: Entry; readonly rank: number }> = [];
    for (let entry = await nextEntry(archive); entry; entry = await nextEntry(archive)) {
      const { fileName } = entry;
      const rank = names.findIndex((name) =>
        typeof name === 'string' ? `/${fileName}`.endsWith(`/${name}`) : name.test(fileName),
      );
      if (rank !== -1) ranked.push({ entry, rank });
    }
    const [best] = ranked.sort(
      (one, other) => one.rank - other.rank || (one.entry.fileName < other.entry.fileName ? -1 : 1),
    );
    if (!best) return undefined;
    if (best.entry.uncompressedSize > maxBytes)
      throw new Error(`${best.entry.fileName} has more than ${maxBytes} bytes when decompressed`);
    const open = promisify<Entry, Readable>(archive.openReadStream.bind(archive));
    return await buffer(await open(best.entry));
  } finally {
    archive.close();
  }
}
