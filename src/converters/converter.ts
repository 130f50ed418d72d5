/** What a conversion makes: the bytes of a small file. */
export interface Converted {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/**
 * One way to make a file of another kind. It runs in a process of its own, which may be killed at any time.
 */
export interface Converter {
  readonly name: string;
  /** Media types that it takes. */
  readonly takes: readonly string[];
  /** @throws what is wrong with the file */
  readonly convert: (file: string) => Promise<Converted>;
}
