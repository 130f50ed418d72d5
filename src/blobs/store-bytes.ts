import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { BlobStoreAway, InsufficientStorage } from '../errors.ts';
import { ownerOnly } from './private-folder.ts';

export interface StoredBytes {
  /** Their SHA-256, in hexadecimal. */
  readonly digest: string;
  readonly length: number;
}

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The disk is full, or the quota of the account that the server runs under. */
const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT';

/** Codes of errors of a folder that is read-only, damaged, not mounted or not accessible, or of too many open files. */
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

/** What the caller sees of a disk that is full or cannot be used; any other error is as it was. */
export function asStoreError(error: unknown): unknown {
  if (isFull(error as Error))
    return new InsufficientStorage('there is no space for these bytes: nothing was stored', { cause: error });
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && brokenCodes.has(code)
    ? new BlobStoreAway(
        `The folder of the files cannot be used now (${code}). Try again later; the operator of the server has to repair it.`,
        { cause: error },
      )
    : error;
}

/** Bytes that may wait to be written: several chunks go to the disk at once, while others arrive. */
const highWaterMark = 512 * 1024;

/** The bytes could not be read: what is wrong is not with the folder, even where the error is one of a file system. */
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
  // A source may fail while the file is still being opened: deleted before, it would be there afterwards.
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()));
  try {
    await pipeline(counted, file);
  } finally {
    await closed;
  }
  return { digest: hash.digest('hex'), length };
}

/**
 * Writes bytes into a new file, of which nothing is left after an error.
 * @param isSynced whether the file is to survive a crash of the machine.
 * @throws InsufficientStorage, BlobStoreAway
 */
export async function storeBytes(path: string, bytes: Bytes, isSynced: boolean): Promise<StoredBytes> {
  try {
    return await writeFile(path, bytes, isSynced);
  } catch (error) {
    await rm(path, { force: true }).catch(() => {}); // the error of the write says more
    throw error instanceof SourceFailure ? error.cause : asStoreError(error);
  }
}
