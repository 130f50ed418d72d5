import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Entry, ZipFile } from 'yauzl';
import { readStart } from '../../blobs/text.ts';

/** The maximum number of bytes to decompress from an archive. A small archive can decompress to any size (zip bomb). */
const unpackedLimit = 100_000_000;

const entryLimit = 10_000;

/**
 * The maximum number of bytes of XML for LibreOffice, which can take two minutes for thirty million on a busy
 * machine.
 */
const markupLimit = 25_000_000;

/** The maximum number of decompressed bytes of an office file. Most of them are pictures, which hardly compress. */
const archiveLimit = 1_000_000_000;

/** The next entry of an archive; undefined after the last one. */
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
  const open = promisify<string, { lazyEntries: boolean }, ZipFile>(yauzl.open);
  return open(file, { lazyEntries: true });
};

/**
 * Decompresses the files of a zip archive whose names match a pattern.
 * @throws Error if the archive is damaged, encrypted or too large.
 */
export async function* unpacked(file: string, names: RegExp): AsyncGenerator<Readable> {
  const archive = await openArchive(file);
  const open = promisify<Entry, Readable>(archive.openReadStream.bind(archive));
  try {
    if (archive.entryCount > entryLimit) throw new Error(`the archive has more than ${entryLimit} files`);
    let left = unpackedLimit;
    for (let entry = await nextEntry(archive); entry; entry = await nextEntry(archive)) {
      if (!names.test(entry.fileName)) continue;
      left -= entry.uncompressedSize; // if the size is wrong, decompression fails with an error
      if (left < 0) throw new Error(`the archive has more than ${unpackedLimit} bytes when decompressed`);
      const bytes = await open(entry);
      yield bytes;
      bytes.destroy();
    }
  } finally {
    archive.close();
  }
}

/**
 * Checks an archive before a program without own limits decompresses it. Files that are not zip archives are accepted.
 * @throws Error if the archive is damaged, or its files are too large.
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
