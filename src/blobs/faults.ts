/** Thrown if the store does not have bytes to which a row refers. */
export class BlobMissing extends Error {
  constructor(digest: string, cause?: unknown) {
    super(`the blob store cannot read ${digest}`, { cause });
  }
}

/** Thrown if the digest of bytes is not the expected one. */
export class DamagedBlob extends Error {
  constructor(expected: string, digest: string) {
    super(`the bytes of ${expected} have the digest ${digest}`);
  }
}
