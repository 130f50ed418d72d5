import { type Faults, joinFew } from '../../errors.ts';

/** The fields of a blob in a body (§2.1); null counts as absent. */
const readFields = [
  'content',
  'data',
  'name',
  'mime-type',
  'encoding',
  'upload-batch',
  'upload-fileId',
] as const;

/** The fields that the JSON of every blob has in answers (§2.1). */
export const shownBlobFields: readonly string[] = [
  'name',
  'mime-type',
  'encoding',
  'digestAlgorithm',
  'digest',
  'length',
  'data',
];

/** What the header `enrichers.blob` may add to the JSON of blobs (§4.9). */
export const blobEnricherNames = ['appLinks', 'preview'] as const;

/** Further fields of blobs and uploads in answers; ignored when a client sends them back. */
const ignoredFields: readonly string[] = [
  'digestAlgorithm',
  'digest',
  'length',
  'blobUrl',
  ...blobEnricherNames,
  'uploaded',
  'batchId',
  'fileIdx',
  'uploadType',
  'uploadedSize',
  'size',
  'uploadedChunkIds',
  'chunkCount',
];

const knownFields: ReadonlySet<string> = new Set([...readFields, ...ignoredFields]);

export type BlobJson = Readonly<Partial<Record<(typeof readFields)[number], string>>>;

/** Undefined for a blob with an unknown field, or a field that is not text: that is added to the faults. */
export function readBlobJson(
  json: Record<string, unknown>,
  xpath: string,
  faults: Faults,
): BlobJson | undefined {
  const unknown = Object.keys(json).filter((key) => !knownFields.has(key));
  if (unknown.length > 0) {
    const names = () => joinFew(unknown, '", "');
    faults.add(
      () =>
        `${xpath}: a blob is given by "content", "data" or "upload-batch" and "upload-fileId", "name", "mime-type" and "encoding", not by "${names()}"`,
    );
    return undefined;
  }
  const blob: Partial<Record<(typeof readFields)[number], string>> = {};
  for (const name of readFields) {
    const given = json[name] ?? undefined;
    const value = name === 'upload-fileId' && typeof given === 'number' ? String(given) : given;
    if (value === undefined) continue;
    if (typeof value !== 'string') {
      faults.add(() => `${xpath}: "${name}" of a blob is text`);
      return undefined;
    }
    blob[name] = value;
  }
  return blob;
}
