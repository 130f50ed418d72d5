import type { Readable } from 'node:stream';
import type { Bytes, StoredBytes } from './store-bytes.ts';

/** A range of bytes, counted from 0. Both ends are inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The headers that a store sends when a client downloads from a signed URL. */
export interface SignedAnswer {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/**
 * A function that reads blobs as files. @param fileOf returns the path of the file that contains the blob with a
 * digest.
 */
export type UseFiles<Result> = (fileOf: (digest: string) => string) => Promise<Result>;

/** A content-addressed store of bytes. Equal bytes are stored once, and the bytes with a given digest never change. */
export interface BlobStore {
  /**
   * Stores bytes durably: once the promise resolves, they survive a crash of the machine.
   * @param expected the digest, if it is known. In that case, the bytes replace any stored bytes with the same digest,
   * because these may be damaged.
   * @throws InsufficientStorage if the store is full.
   * @throws DamagedBlob if the digest differs from the expected one.
   * @throws BlobStoreAway if the store cannot be reached or written to.
   */
  write(bytes: Bytes, expected?: string): Promise<StoredBytes>;
  /** Stores the concatenation of several blobs as one blob. @throws BlobMissing, and the errors of `write`. */
  join(digests: readonly string[]): Promise<StoredBytes>;
  /** Opens a blob for reading. The caller must read or destroy the stream. @throws BlobMissing, BlobStoreAway */
  read(digest: string, range?: ByteRange): Promise<Readable>;
  /** Reads a short blob into memory. @throws BlobMissing, BlobStoreAway */
  readAll(digest: string): Promise<Buffer>;
  /**
   * Provides blobs as files while a function runs. The files may be deleted as soon as the function ends.
   * @throws BlobMissing, BlobStoreAway
   */
  withFiles<Result>(digests: readonly string[], use: UseFiles<Result>): Promise<Result>;
  /** Returns the length of a blob; undefined if it does not exist. @throws BlobStoreAway */
  lengthOf(digest: string): Promise<number | undefined>;
  /**
   * Restarts the grace period of a blob. Until it ends, no sweep deletes the blob.
   * @returns the blob's length; undefined if the blob does not exist
   * @throws BlobStoreAway
   */
  renew(digest: string): Promise<number | undefined>;
  /** Deletes a blob that has been moved to another store. References are not checked. */
  remove(digest: string): Promise<void>;
  /** Lists the digests of all blobs, in pages of a few hundred. */
  list(): AsyncIterable<readonly string[]>;
  /**
   * Deletes blobs that no row refers to, and files left behind by unfinished writes.
   * @param referenced returns the subset of the given digests that rows refer to.
   * @param grace the number of milliseconds during which a new blob is not deleted, because its row may not have been
   * committed yet.
   * @returns the number of deleted blobs and files.
   */
  sweep(referenced: (digests: string[]) => Promise<ReadonlySet<string>>, grace: number): Promise<number>;
  /**
   * Returns a URL from which clients can download the bytes directly from the store for a minute. The method is
   * missing, or returns undefined, if the store does not support this.
   */
  signedAddress?(digest: string, answer: SignedAnswer): Promise<string | undefined>;
}
