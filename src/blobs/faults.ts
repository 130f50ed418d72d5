/** Thrown if the store does not contain a blob that a row refers to. */
export class BlobMissing extends Error {
  constructor(digest: string, cause?: unknown) {
    super(`the blob store cannot read ${digest}`, { cause });
  }
}

/** Thrown if bytes do not have the expected digest. */
export class DamagedBlob extends Error {
  constructor(expected: string, digest: string) {
    super(`the bytes have the digest ${digest} instead of ${expected}`);
  }
}
