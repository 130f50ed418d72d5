import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { BlobStore } from '../blobs/blob-store.ts';
import { blobMediaType, isBinary, sniffMediaType, textMediaType } from '../blobs/media-type.ts';
import { decodeText } from '../blobs/text.ts';
import { maxNoteBytes } from '../model/notes.ts';
import type { StoredBlob, StoredProperties } from '../model/values/stored.ts';
import { asSkipped, Skipped } from './skipped.ts';

export interface FileContent {
  readonly type: 'Note' | 'File';
  readonly properties: StoredProperties;
  readonly bytes: number;
}

/** Errors of reading skip the file; errors of the blob store, which consumes it, end the import. */
async function* pieces(handle: FileHandle, path: string): AsyncGenerator<Uint8Array> {
  const stream = handle.createReadStream({ autoClose: false, start: 0, highWaterMark: 262_144 });
  try {
    yield* stream;
  } catch (error) {
    throw asSkipped(path, error);
  }
}

async function openFile(path: string): Promise<{ handle: FileHandle; bytes: Buffer | undefined }> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw asSkipped(path, error);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Skipped('no longer a file');
    return { handle, bytes: stats.size <= maxNoteBytes ? await handle.readFile() : undefined };
  } catch (error) {
    await handle.close();
    throw error instanceof Skipped ? error : asSkipped(path, error);
  }
}

/**
 * Reads a file: a text that fits into a Note, or a blob, which is stored.
 * @param file its name, by whose extension the media type is found where the bytes do not decide.
 * @throws Skipped when it cannot be read.
 */
export async function readContent(path: string, file: string, blobs: BlobStore): Promise<FileContent> {
  const { handle, bytes } = await openFile(path);
  try {
    const magic = await sniffMediaType(bytes ? { bytes } : { path });
    const isPossible = bytes !== undefined && bytes.length <= maxNoteBytes && !isBinary(magic);
    const text = isPossible ? decodeText(bytes) : undefined;
    if (text !== undefined) {
      const properties = { 'note:note': text, 'note:mime_type': textMediaType(file, magic) };
      return { type: 'Note', properties, bytes: bytes?.length ?? 0 };
    }
    const stored = await blobs.write(bytes ? [bytes] : pieces(handle, path));
    const blob: StoredBlob = { name: file, mimeType: blobMediaType(file, magic), encoding: null, ...stored };
    return { type: 'File', properties: { 'file:content': blob }, bytes: stored.length };
  } finally {
    await handle.close();
  }
}
