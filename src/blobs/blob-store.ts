import type { Readable } from 'node:stream';
import type { Bytes, StoredBytes } from './store-bytes.ts';

/** The first and the last byte, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface SignedAnswer {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** @param fileOf where the bytes of each digest are. */
export type UseFiles<Result> = (fileOf: (digest: string) => string) => Promise<Result>;

/** Content-addressed bytes: equal ones are stored once, and those of a digest never change. */
export interface BlobStore {
  /**
   * Stores bytes; once it resolves, they survive a crash of the machine.
   * @param expected their digest, where it is known. They replace those that are there, which may be damaged.
   * @throws InsufficientStorage; DamagedBlob when they are others than expected; BlobStoreAway when the store
   * cannot be reached or written
   */
  write(bytes: Bytes, expected?: string): Promise<StoredBytes>;
  /** Stores the bytes of several blobs, one after the other, as one. @throws BlobMissing; as `write` */
  join(digests: readonly string[]): Promise<StoredBytes>;
  /** Is open when it resolves, and is to be read or destroyed. @throws BlobMissing, BlobStoreAway */
  read(digest: string, range?: ByteRange): Promise<Readable>;
  /** A short blob in memory. @throws BlobMissing, BlobStoreAway */
  readAll(digest: string): Promise<Buffer>;
  /** Lets a function read blobs from files, which may be gone when it is done. @throws as `read` */
  withFiles<Result>(digests: readonly string[], use: UseFiles<Result>): Promise<Result>;
  /** @returns undefined when there is no such blob. @throws BlobStoreAway */
  lengthOf(digest: string): Promise<number | undefined>;
  /** Restarts the grace period of a blob. @returns its length, or undefined when there is no such blob. @throws BlobStoreAway */
  renew(digest: string): Promise<number | undefined>;
  /** Deletes a blob, whatever refers to it: it is in another store. */
  remove(digest: string): Promise<void>;
  /** All blobs, some hundreds at a time. */
  list(): AsyncIterable<readonly string[]>;
  /**
   * Deletes blobs that no row refers to, and the rest of unfinished writes.
   * @param referenced returns those of the digests that a row refers to.
   * @param grace milliseconds after a write in which a blob is kept: the row may not be committed yet.
   * @returns the number of deleted blobs and files.
   */
  sweep(referenced: (digests: string[]) => Promise<ReadonlySet<string>>, grace: number): Promise<number>;
  /**
   * An address at which clients get the bytes from the store itself, for a minute. A store that has none
   * lacks the function, or answers undefined.
   */
  signedAddress?(digest: string, answer: SignedAnswer): Promise<string | undefined>;
}
