import { Invalid } from '../errors.ts';

/** What a body may say of a blob (§2.1); null says nothing. */
const said = ['content', 'data', 'name', 'mime-type', 'encoding', 'upload-batch', 'upload-fileId'] as const;

/** What answers show besides, of a blob and of an upload: it comes back with what was shown, and is not read. */
const shown: readonly string[] = [
  ...['digestAlgorithm', 'digest', 'length', 'blobUrl'],
  ...['uploaded', 'fileIdx', 'uploadType', 'uploadedSize', 'size', 'uploadedChunkIds', 'chunkCount'],
];

const isSaid = (key: string): key is (typeof said)[number] => said.some((name) => name === key);

/** What a body says of a blob. */
export type BlobJson = Readonly<Partial<Record<(typeof said)[number], string>>>;

/**
 * Reads what a body says of the blob at an xpath.
 * @throws Invalid on what is no field of a blob, and on a field that is no text.
 */
export function readBlobJson(json: Record<string, unknown>, xpath: string): BlobJson {
  const unknown = Object.keys(json).filter((key) => !isSaid(key) && !shown.includes(key));
  if (unknown.length > 0) {
    const names = unknown.map((name) => `"${name}"`).join(', ');
    throw new Invalid(
      `${xpath}: a blob is given by "content", "data" or "upload-batch" and "upload-fileId", "name", "mime-type" and "encoding", not by ${names}`,
    );
  }
  const blob: Partial<Record<(typeof said)[number], string>> = {};
  for (const name of said) {
    const given = json[name] ?? undefined;
    const value = name === 'upload-fileId' && typeof given === 'number' ? String(given) : given;
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new Invalid(`${xpath}: "${name}" of a blob is text`);
    blob[name] = value;
  }
  return blob;
}
