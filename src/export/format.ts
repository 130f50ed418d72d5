/** The file that describes an export. It is written last, so an export without it is incomplete. */
export const manifestFile = 'quire-export.json';

/** The file with the documents, one per line, in the format of `quire import --jsonl`. */
export const linesFile = 'documents.jsonl';

/** The path of a blob in the folder, which is the value of `data` in the JSON of blobs. */
export const addressOf = (digest: string): string => `files/${digest.slice(0, 2)}/${digest}`;

/** The digest in the path of a blob; undefined for any other text. */
export const digestAt = (address: string): string | undefined => {
  const digest = /^files\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(address)?.[1];
  return digest !== undefined && addressOf(digest) === address ? digest : undefined;
};

/** The content of the manifest. */
export interface ExportManifest {
  readonly format: 'quire-export';
  readonly version: 1;
  readonly repository: string;
  /** The path of the exported document. */
  readonly path: string;
  readonly documents: number;
  readonly files: number;
  /** The numbers of descendants that are not exported, by kind. */
  readonly leftOut: LeftOut;
}

interface LeftOut {
  readonly versions: number;
  readonly proxies: number;
  readonly trash: number;
  readonly comments: number;
}
