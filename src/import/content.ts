import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { BlobStore } from '../blobs/blob-store.ts';
import { blobType, byMagic, isBinary, textType } from '../blobs/media-type.ts';
import { asText } from '../blobs/text.ts';
import { longestNote } from '../model/notes.ts';
import type { StoredBlob, StoredProperties } from '../model/stored.ts';
import { asSkipped, Skipped } from './skipped.ts';

/** What a file becomes. */
export interface Content {
  readonly type: 'Note' | 'File';
  readonly properties: StoredProperties;
  readonly bytes: number;
}

/** The file piece by piece. What goes wrong here is the file's fault; what goes wrong in the store is not. */
async function* pieces(handle: FileHandle, path: string): AsyncGenerator<Uint8Array> {
  const stream = handle.createReadStream({ autoClose: false, start: 0, highWaterMark: 262_144 });
  try {
    yield* stream;
  } catch (error) {
    throw asSkipped(path, error);
  }
}

/** Opens a file for reading; not blocking, since by now it might be a pipe. */
async function openFile(path: string): Promise<{ handle: FileHandle; bytes: Buffer | undefined }> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw asSkipped(path, error);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Skipped('no longer a file');
    return { handle, bytes: stats.size <= longestNote ? await handle.readFile() : undefined };
  } catch (error) {
    await handle.close();
    throw error instanceof Skipped ? error : asSkipped(path, error);
  }
}

/**
 * Reads a file, and keeps its bytes in the blob store unless they are a text that fits into a Note.
 * @param file its name, whose extension tells the media type where the bytes do not.
 * @throws Skipped when it cannot be read.
 */
export async function readContent(path: string, file: string, blobs: BlobStore): Promise<Content> {
  const { handle, bytes } = await openFile(path);
  try {
    const magic = await byMagic(bytes ? { path, bytes } : { path });
    const isPossible = bytes !== undefined && bytes.length <= longestNote && !isBinary(magic);
    const text = isPossible ? asText(bytes) : undefined;
    if (text !== undefined) {
      const properties = { 'note:note': text, 'note:mime_type': textType(file, magic) };
      return { type: 'Note', properties, bytes: bytes?.length ?? 0 };
    }
    const stored = await blobs.write(bytes ? [bytes] : pieces(handle, path));
    const blob: StoredBlob = { name: file, mimeType: blobType(file, magic), encoding: null, ...stored };
    return { type: 'File', properties: { 'file:content': blob }, bytes: stored.length };
  } finally {
    await handle.close();
  }
}
