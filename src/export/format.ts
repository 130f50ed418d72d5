/** What an export is, written when all else is there: a folder without it was not finished. */
export const manifestFile = 'quire-export.json';

/** The documents, as `quire import --jsonl` reads them. */
export const linesFile = 'documents.jsonl';

/** Where the bytes of a blob are below the folder; lines have it in the field `data`. */
export const addressOf = (digest: string): string => `files/${digest.slice(0, 2)}/${digest}`;

/** @returns undefined for any other text. */
export const digestAt = (address: string): string | undefined => {
  const digest = /^files\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(address)?.[1];
  return digest !== undefined && addressOf(digest) === address ? digest : undefined;
};

export interface ExportManifest {
  readonly format: 'quire-export';
  readonly version: 1;
  readonly repository: string;
  /** Of the document with everything below. */
  readonly path: string;
  readonly documents: number;
  readonly files: number;
  /** What is below the document, and not in the export. */
  readonly leftOut: LeftOut;
}

interface LeftOut {
  readonly versions: number;
  readonly proxies: number;
  readonly trash: number;
  readonly comments: number;
}
