import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { mediaTypeOf, storeFile } from '../blobs/media-type.ts';
import { decodeText, startBytes } from '../blobs/text.ts';
import { type FileDocumentType, fileDocumentType, isNoteType, maxNoteBytes, noteOf } from '../model/notes.ts';
import type { StoredBlob, StoredProperties } from '../model/values/stored.ts';
import type { Services } from '../services.ts';
import { asSkipped, Skipped } from './skipped.ts';

/** The type and properties of the document that is created for a file. */
export interface FileContent {
  readonly type: FileDocumentType;
  readonly properties: StoredProperties;
  readonly bytes: number;
}

/**
 * Reads a file in chunks. Read errors are converted to Skipped, to distinguish them from errors of the blob store.
 */
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
    if (!stats.isFile()) throw new Skipped('is no longer a file');
    return { handle, bytes: stats.size <= maxNoteBytes ? await handle.readFile() : undefined };
  } catch (error) {
    await handle.close();
    throw error instanceof Skipped ? error : asSkipped(path, error);
  }
}

export type ContentSettings = Pick<Services, 'blobs' | 'markdownType'>;

/**
 * Reads a file. A short text file becomes a Note; any other file is stored as a blob.
 * @param file the name of the file, which determines the media type if the bytes do not.
 * @throws Skipped if the file cannot be read.
 */
export async function readContent(
  path: string,
  file: string,
  { blobs, markdownType }: ContentSettings,
): Promise<FileContent> {
  const { handle, bytes } = await openFile(path);
  try {
    const isSmall = bytes !== undefined && bytes.length <= maxNoteBytes;
    const small = isSmall
      ? await mediaTypeOf({ name: file, start: bytes.subarray(0, startBytes) })
      : undefined;
    const text = isSmall && small && isNoteType(small) ? decodeText(bytes) : undefined;
    if (text !== undefined && small)
      return { ...noteOf(text, small, markdownType), bytes: bytes?.length ?? 0 };
    const stored = await storeFile(blobs, bytes ? [bytes] : pieces(handle, path), { name: file });
    const blob: StoredBlob = { name: file, ...stored };
    return {
      type: fileDocumentType(blob.mimeType),
      properties: { 'file:content': blob },
      bytes: stored.length,
    };
  } finally {
    await handle.close();
  }
}
