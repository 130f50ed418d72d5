import { type Faults, joinFew } from '../../errors.ts';

/** The fields of a blob object in a request body (§2.1); null counts as absent. */
const readFields = [
  'content',
  'data',
  'name',
  'mime-type',
  'encoding',
  'upload-batch',
  'upload-fileId',
] as const;

/** The fields that every blob object has in responses (§2.1). */
export const shownBlobFields: readonly string[] = [
  'name',
  'mime-type',
  'encoding',
  'digestAlgorithm',
  'digest',
  'length',
  'data',
];

/** The fields that the header `enrichers.blob` can add to blob objects (§4.9). */
export const blobEnricherNames = ['appLinks', 'preview'] as const;

/** Fields that blobs and uploads have in responses, and that are ignored if a client sends them back. */
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

/** Reads a blob object. Adds an error and returns undefined if a field is unknown or is not a string. */
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
        `${xpath}: a blob can have the fields "content", "data", "upload-batch", "upload-fileId", "name", "mime-type" and "encoding"; "${names()}" is unknown`,
    );
    return undefined;
  }
  const blob: Partial<Record<(typeof readFields)[number], string>> = {};
  for (const name of readFields) {
    const field = json[name] ?? undefined;
    const value = name === 'upload-fileId' && typeof field === 'number' ? String(field) : field;
    if (value === undefined) continue;
    if (typeof value !== 'string') {
      faults.add(() => `${xpath}: "${name}" of a blob must be a string`);
      return undefined;
    }
    blob[name] = value;
  }
  return blob;
}
