/** The name of the file that describes an export. It is written last, so an export without it is incomplete. */
export const manifestFile = 'quire-export.json';

/** The name of the file that contains the documents, one per line, in the format of `quire import --jsonl`. */
export const linesFile = 'documents.jsonl';

/** Returns the path of a blob within the export. This path is the value of `data` in the JSON of blobs. */
export const addressOf = (digest: string): string => `files/${digest.slice(0, 2)}/${digest}`;

/** Returns the digest in the path of a blob; undefined if the string is not the path of a blob. */
export const digestAt = (address: string): string | undefined => {
  const digest = /^files\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(address)?.[1];
  return digest !== undefined && addressOf(digest) === address ? digest : undefined;
};

export interface ExportManifest {
  readonly format: 'quire-export';
  readonly version: 1;
  readonly repository: string;
  /** The path of the exported document. */
  readonly path: string;
  readonly documents: number;
  readonly files: number;
  /** The number of descendants that were not exported, by kind. */
  readonly leftOut: LeftOut;
}

interface LeftOut {
  readonly versions: number;
  readonly proxies: number;
  readonly trash: number;
  readonly comments: number;
}
