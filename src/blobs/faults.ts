/** A row refers to bytes that the store does not have: a fault of the store. */
export class BlobMissing extends Error {
  constructor(digest: string, cause?: unknown) {
    super(`the blob store cannot read ${digest}`, { cause });
  }
}

/** Bytes are others than their digest says. */
export class DamagedBlob extends Error {
  constructor(expected: string, digest: string) {
    super(`the bytes of ${expected} have the digest ${digest}`);
  }
}
