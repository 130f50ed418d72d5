import { lookup } from 'mime-types';
import { sniffMediaType } from '../../blobs/media-type.ts';
import { decodeText } from '../../blobs/text.ts';
import type { Context } from '../../loaders/context.ts';
import { maxNoteBytes } from '../../model/notes.ts';
import { ResolvedBlob, type StoredBlob } from '../../model/values/stored.ts';
import type { NewDocument } from '../../store/documents/create-document.ts';

/** Media types of files that become notes, whose text clients edit. */
const notes: ReadonlySet<string> = new Set([
  'text/plain',
  'text/html',
  'application/xhtml+xml',
  'text/markdown',
  'text/x-web-markdown',
]);

/** Bytes at the beginning, by which media types are recognized. */
const sniffed = 4_000_000;

/** Document types by the first part of the media type; `File` for others. */
const types: Readonly<Record<string, string>> = { image: 'Picture', video: 'Video', audio: 'Audio' };

/** The name decides, then the first bytes, then what the client sent. */
async function mimeTypeOf({ blobs }: Context, { name, mimeType, digest }: StoredBlob): Promise<string> {
  const byName = lookup(name ?? '');
  if (byName) return byName;
  const stream = await blobs.read(digest, { start: 0, end: sniffed - 1 });
  return (await sniffMediaType({ stream })) ?? mimeType;
}

/** Undefined when the file is too large, or in another encoding than a note. */
async function textOf(
  { blobs }: Context,
  { digest, length, encoding }: StoredBlob,
): Promise<string | undefined> {
  if (length > maxNoteBytes || !/^(utf-?8|us-ascii)$/i.test(encoding ?? 'utf-8')) return undefined;
  return decodeText(await blobs.readAll(digest));
}

/** @param keepsMimeType whether to trust the media type that the client sent */
export async function documentFromFile(
  context: Context,
  blob: StoredBlob,
  keepsMimeType: boolean,
): Promise<NewDocument> {
  const mimeType = keepsMimeType ? blob.mimeType : await mimeTypeOf(context, blob);
  const name = blob.name ?? 'blob';
  const properties = { 'dc:title': name };
  const text = notes.has(mimeType) ? await textOf(context, blob) : undefined;
  if (text !== undefined)
    return {
      name,
      type: 'Note',
      properties: { ...properties, 'note:note': text, 'note:mime_type': mimeType },
    };
  const type = types[mimeType.split('/', 1)[0] ?? ''] ?? 'File';
  return {
    name,
    type,
    properties: { ...properties, 'file:content': new ResolvedBlob({ ...blob, mimeType }) },
  };
}
