import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { BlobStoreAway, InsufficientStorage } from '../errors.ts';
import { ownerOnly } from './private-folder.ts';

export interface StoredBytes {
  /** The SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string;
  readonly length: number;
}

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Whether an error means that the disk is full or the disk quota is exhausted. */
const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT';

/**
 * Error codes that mean that a folder is read-only, damaged, not mounted or inaccessible, or that no file descriptors
 * are available.
 */
const brokenCodes: ReadonlySet<string | undefined> = new Set([
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ENOTDIR',
  'ENOENT',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EBUSY',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ENODEV',
  'ENXIO',
  'ENOTCONN',
  'ESTALE',
  'EREMOTEIO',
  'EUCLEAN',
  'EBADMSG',
  'EFBIG',
  'EINVAL',
  'ENOTSUP',
  'EHOSTDOWN',
]);

/**
 * Converts the error of a full or unusable disk to the error that callers see. Other errors are returned unchanged.
 */
export function asStoreError(error: unknown): unknown {
  if (isFull(error as Error))
    return new InsufficientStorage('There is no space left on the server, so nothing was stored.', {
      cause: error,
    });
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && brokenCodes.has(code)
    ? new BlobStoreAway(
        `The folder in which files are stored cannot be used (${code}). Try again after the server operator has fixed this.`,
        { cause: error },
      )
    : error;
}

/**
 * The number of bytes to buffer, so that chunks that arrive during one write are combined in the next one.
 */
const highWaterMark = 512 * 1024;

/** Wraps errors of the source, to distinguish them from errors of the folder. */
class SourceFailure extends Error {
  constructor(cause: unknown) {
    super('The source of the bytes could not be read.', { cause });
  }
}

async function writeFile(path: string, bytes: Bytes, isSynced: boolean): Promise<StoredBytes> {
  const hash = createHash('sha256');
  let length = 0;
  async function* counted() {
    try {
      for await (const chunk of bytes) {
        hash.update(chunk);
        length += chunk.byteLength;
        yield chunk;
      }
    } catch (cause) {
      throw new SourceFailure(cause);
    }
  }
  const file = createWriteStream(path, {
    flags: 'wx',
    mode: ownerOnly.file,
    highWaterMark,
    flush: isSynced,
  });
  // The source can fail while the file is still being opened. The file is deleted only after it has been closed;
  // otherwise, it might be created after the deletion.
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()));
  try {
    await pipeline(counted, file);
  } finally {
    await closed;
  }
  return { digest: hash.digest('hex'), length };
}

/**
 * Writes bytes to a new file. If an error occurs, the file is deleted.
 * @param isSynced whether to flush the file to disk, so that it survives a crash of the machine.
 * @throws InsufficientStorage, BlobStoreAway
 */
export async function storeBytes(path: string, bytes: Bytes, isSynced: boolean): Promise<StoredBytes> {
  try {
    return await writeFile(path, bytes, isSynced);
  } catch (error) {
    await rm(path, { force: true }).catch(() => {}); // the original error is thrown instead
    throw error instanceof SourceFailure ? error.cause : asStoreError(error);
  }
}
