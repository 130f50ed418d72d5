import { lookup } from 'mime-types';

const textLike = /^text\/|[/+](xml|json)$/;

/** Formats that text cannot be in, whatever the extension says: `.ts` is not always a video. */
const binary = /^((image|audio|video|font|model)\/|application\/(octet-stream|msword|vnd\.))/;

/** Whether a media type leaves open that the bytes are text. */
const isTextLike = (type: string): boolean => textLike.test(type);

const byExtension = (file: string): string | undefined => lookup(file) || undefined;

/** The media type that the first bytes give away. A format that is broken inside gives nothing away. */
export async function byMagic(source: { path: string; bytes?: Uint8Array }): Promise<string | undefined> {
  try {
    // Loaded when it is first needed: most servers are never given a file of which nobody says what it is.
    const { fileTypeFromBuffer, fileTypeFromFile } = await import('file-type');
    const found = await (source.bytes ? fileTypeFromBuffer(source.bytes) : fileTypeFromFile(source.path));
    return found?.mime;
  } catch {
    return undefined;
  }
}

/** Whether magic bytes rule out that a file is a text. */
export const isBinary = (magic: string | undefined): boolean => magic !== undefined && !isTextLike(magic);

/** The media type of a text. An extension that names a kind of XML says more than its first line does. */
export function textType(file: string, magic: string | undefined): string {
  const extension = byExtension(file);
  const isPossible = extension !== undefined && (isTextLike(extension) || !binary.test(extension));
  if (magic === 'application/xml' && extension?.endsWith('+xml')) return extension;
  return magic ?? (isPossible ? extension : 'text/plain');
}

/** The media type of a file that is kept as a blob. */
export const blobType = (file: string, magic: string | undefined): string =>
  magic ?? byExtension(file) ?? 'application/octet-stream';
