import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Entry, ZipFile } from 'yauzl';
import { readStart } from '../../blobs/text.ts';

/** Bytes that the files of an archive may have together: a small archive may unpack to any number. */
const unpackedLimit = 100_000_000;

const entryLimit = 10_000;

/** Bytes of XML for a program, which takes a minute or two for thirty million on a busy machine. */
const markupLimit = 25_000_000;

/** Bytes of all files of an office archive, most of which are pictures, which hardly shrink. */
const archiveLimit = 1_000_000_000;

/** The next file of an archive; undefined after the last. */
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
 * The files of a zip archive with certain names, as they are unpacked.
 * @throws when it is damaged, encrypted or too large.
 */
export async function* unpacked(file: string, names: RegExp): AsyncGenerator<Readable> {
  const archive = await openArchive(file);
  const open = promisify<Entry, Readable>(archive.openReadStream.bind(archive));
  try {
    if (archive.entryCount > entryLimit) throw new Error(`it has more than ${entryLimit} files`);
    let left = unpackedLimit;
    for (let entry = await nextEntry(archive); entry; entry = await nextEntry(archive)) {
      if (!names.test(entry.fileName)) continue;
      left -= entry.uncompressedSize; // unpacking ends with an error where this is not true
      if (left < 0) throw new Error(`it unpacks to more than ${unpackedLimit} bytes`);
      const bytes = await open(entry);
      yield bytes;
      bytes.destroy();
    }
  } finally {
    archive.close();
  }
}

/**
 * Looks at an archive before a program unpacks it that has no limits of its own; other files pass.
 * @throws when it is damaged, or when its files, or those of XML, are too large together.
 */
export async function requireSmallArchive(file: string): Promise<void> {
  if ((await readStart(file, 2)) !== 'PK') return;
  const archive = await openArchive(file);
  try {
    if (archive.entryCount > entryLimit) throw new Error(`it has more than ${entryLimit} files`);
    let [bytes, markup] = [0, 0];
    for (let entry = await nextEntry(archive); entry; entry = await nextEntry(archive)) {
      bytes += entry.uncompressedSize;
      if (/\.(xml|rels)$/i.test(entry.fileName)) markup += entry.uncompressedSize;
      if (bytes > archiveLimit) throw new Error(`it unpacks to more than ${archiveLimit} bytes`);
      if (markup > markupLimit) throw new Error(`its XML unpacks to more than ${markupLimit} bytes`);
    }
  } finally {
    archive.close();
  }
}
