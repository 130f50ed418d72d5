import type { Readable } from 'node:stream';
import { lookup } from 'mime-types';

const textLike = /^text\/|[/+](xml|json)$/;

/** Types that text cannot have, whatever the extension: `.ts` may be TypeScript or a video. */
const binary =
  /^((image|audio|video|font|model)\/|application\/(octet-stream|msword|pdf|vnd\.|.*(zip|archive)|x-(7z|tar|xz)))/;

const byExtension = (file: string): string | undefined => lookup(file) || undefined;

/** The media type by the first bytes; undefined when they are not recognized, or the file is damaged. */
export async function sniffMediaType(
  source: { path: string } | { bytes: Uint8Array } | { stream: Readable },
): Promise<string | undefined> {
  try {
    // Imported on first use: most servers never receive a file without a media type.
    const { fileTypeFromBuffer, fileTypeFromFile, fileTypeFromStream } = await import('file-type');
    const found =
      'bytes' in source
        ? fileTypeFromBuffer(source.bytes)
        : 'path' in source
          ? fileTypeFromFile(source.path)
          : fileTypeFromStream(source.stream);
    return (await found)?.mime;
  } catch {
    return undefined;
  }
}

/** Whether the sniffed media type excludes that a file is text. */
export const isBinary = (sniffed: string | undefined): boolean =>
  sniffed !== undefined && !textLike.test(sniffed);

/** The media type of a text file. An extension for a kind of XML is more specific than the sniffed type. */
export function textMediaType(file: string, sniffed: string | undefined): string {
  const extension = byExtension(file);
  const isPossible = extension !== undefined && (textLike.test(extension) || !binary.test(extension));
  if (sniffed === 'application/xml' && extension?.endsWith('+xml')) return extension;
  return sniffed ?? (isPossible ? extension : 'text/plain');
}

export const blobMediaType = (file: string, sniffed: string | undefined): string =>
  sniffed ?? byExtension(file) ?? 'application/octet-stream';

/** A media type in lower case, without its parameters. */
export const essence = (mimeType: string): string => mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
