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

/** Whether an error means that the disk is full, or the quota of the server's user. */
const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT';

/** Error codes of a folder that is read-only, damaged, not mounted or not accessible, or of a lack of file handles. */
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
 * Translates an error of a disk that is full or unusable to the error that callers see. Other errors are returned
 * unchanged.
 */
export function asStoreError(error: unknown): unknown {
  if (isFull(error as Error))
    return new InsufficientStorage('There is no space left on the server, so nothing was stored.', {
      cause: error,
    });
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && brokenCodes.has(code)
    ? new BlobStoreAway(
        `The folder of the files cannot be used now (${code}). Try again later; the operator of the server has to repair it.`,
        { cause: error },
      )
    : error;
}

/** The number of bytes to buffer, so that several chunks are written together while others arrive. */
const highWaterMark = 512 * 1024;

/** Thrown if the source of the bytes fails, to distinguish its errors from those of the folder. */
class SourceFailure extends Error {
  constructor(cause: unknown) {
    super('the source of the bytes failed', { cause });
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
  // If the source fails while the file is still being opened, the file must not be deleted before it exists.
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()));
  try {
    await pipeline(counted, file);
  } finally {
    await closed;
  }
  return { digest: hash.digest('hex'), length };
}

/**
 * Writes bytes to a new file. After an error the file is deleted.
 * @param isSynced whether the file is flushed to disk, so that it survives a crash of the machine.
 * @throws InsufficientStorage, BlobStoreAway
 */
export async function storeBytes(path: string, bytes: Bytes, isSynced: boolean): Promise<StoredBytes> {
  try {
    return await writeFile(path, bytes, isSynced);
  } catch (error) {
    await rm(path, { force: true }).catch(() => {}); // the original error is more useful
    throw error instanceof SourceFailure ? error.cause : asStoreError(error);
  }
}
