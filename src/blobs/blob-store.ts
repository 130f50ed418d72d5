import type { Readable } from 'node:stream';
import type { Bytes, StoredBytes } from './store-bytes.ts';

/** A range of bytes. Both ends are inclusive and counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The headers with which a store answers a request for a signed URL. */
export interface SignedAnswer {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** Uses files with the bytes of blobs. @param fileOf returns the path of the file of a digest. */
export type UseFiles<Result> = (fileOf: (digest: string) => string) => Promise<Result>;

/** A content-addressed store of bytes. Equal bytes are stored once, and the bytes of a digest never change. */
export interface BlobStore {
  /**
   * Stores bytes durably: when it resolves, they survive a crash of the machine.
   * @param expected the digest, if it is known. The bytes then replace stored ones, which may be damaged.
   * @throws InsufficientStorage if the store is full.
   * @throws DamagedBlob if the digest differs from the expected one.
   * @throws BlobStoreAway if the store cannot be reached or written.
   */
  write(bytes: Bytes, expected?: string): Promise<StoredBytes>;
  /** Stores the concatenation of several blobs as one blob. @throws BlobMissing, and what `write` throws. */
  join(digests: readonly string[]): Promise<StoredBytes>;
  /** Opens a blob for reading. The caller must read or destroy the stream. @throws BlobMissing, BlobStoreAway */
  read(digest: string, range?: ByteRange): Promise<Readable>;
  /** Reads a short blob into memory. @throws BlobMissing, BlobStoreAway */
  readAll(digest: string): Promise<Buffer>;
  /**
   * Provides blobs as files while a function runs. The files may be deleted afterwards.
   * @throws BlobMissing, BlobStoreAway
   */
  withFiles<Result>(digests: readonly string[], use: UseFiles<Result>): Promise<Result>;
  /** Returns the length of a blob; undefined if it does not exist. @throws BlobStoreAway */
  lengthOf(digest: string): Promise<number | undefined>;
  /** Restarts the grace period of a blob. @returns its length; undefined if it does not exist. @throws BlobStoreAway */
  renew(digest: string): Promise<number | undefined>;
  /** Deletes a blob without checking references, for a blob that has been moved to another store. */
  remove(digest: string): Promise<void>;
  /** Lists the digests of all blobs, in pages of some hundreds. */
  list(): AsyncIterable<readonly string[]>;
  /**
   * Deletes blobs to which no row refers, and remains of unfinished writes.
   * @param referenced returns the digests, among some, to which a row refers.
   * @param grace the number of milliseconds for which a new blob is not deleted, because its row may not be committed yet.
   * @returns the number of deleted blobs and files.
   */
  sweep(referenced: (digests: string[]) => Promise<ReadonlySet<string>>, grace: number): Promise<number>;
  /**
   * Returns a URL from which clients can download the bytes directly from the store for a minute. Undefined, as the function
   * itself can be, if the store does not support this.
   */
  signedAddress?(digest: string, answer: SignedAnswer): Promise<string | undefined>;
}
