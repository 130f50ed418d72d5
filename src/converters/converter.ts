/** What a conversion makes: the bytes of a small file. */
export interface Converted {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** The sizes in which pictures are shown, by the names that clients know. */
export type PictureView = 'Thumbnail' | 'Small' | 'Medium' | 'FullHD' | 'OriginalJpeg';

/** What files are converted for. */
export type Purpose = PictureView | 'thumbnail' | 'text' | 'pdf';

export interface Source {
  /** Where its bytes are. */
  readonly file: string;
  readonly mimeType: string;
}

/**
 * One way to make a file of another kind. It runs in a process of its own, which may be killed at any time.
 */
export interface Converter {
  /** Unique: what it made is kept under it. */
  readonly name: string;
  /** Of those that make the same, the first that takes a file converts it. */
  readonly makes: Purpose;
  /** Media types that it takes. */
  readonly takes: readonly string[];
  /** @throws what is wrong with the file */
  readonly convert: (source: Source) => Promise<Converted>;
}
