import { readFile } from 'node:fs/promises';
import { lookup } from 'mime-types';
import { byMagic } from '../blobs/media-type.ts';
import { asText } from '../blobs/text.ts';
import type { Context } from '../context.ts';
import { longestNote } from '../model/notes.ts';
import { KeptBlob, type StoredBlob } from '../model/stored.ts';
import type { NewDocument } from '../store/create-document.ts';

/** Texts that are edited where they are read. */
const notes: ReadonlySet<string> = new Set([
  ...['text/plain', 'text/html', 'application/xhtml+xml', 'text/markdown', 'text/x-web-markdown'],
]);

/** What is kept of each kind of file. */
const types: Readonly<Record<string, string>> = { image: 'Picture', video: 'Video', audio: 'Audio' };

/** What a file is, by its name, else by its first bytes, else as its sender says. */
async function mimeTypeOf({ blobs }: Context, { name, mimeType, digest }: StoredBlob): Promise<string> {
  return lookup(name ?? '') || (await byMagic({ path: blobs.file(digest) })) || mimeType;
}

/** The text of a file that can be a note. */
async function textOf(
  { blobs }: Context,
  { digest, length, encoding }: StoredBlob,
): Promise<string | undefined> {
  if (length > longestNote || !/^(utf-?8|us-ascii)$/i.test(encoding ?? 'utf-8')) return undefined;
  return asText(await readFile(blobs.file(digest)));
}

/**
 * What becomes of a file: a document of its name and of a type that goes with the file's.
 * @param isTypeSaid whether the file is what its sender says that it is.
 */
export async function importedFrom(
  context: Context,
  blob: StoredBlob,
  isTypeSaid: boolean,
): Promise<NewDocument> {
  const mimeType = isTypeSaid ? blob.mimeType : await mimeTypeOf(context, blob);
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
  return { name, type, properties: { ...properties, 'file:content': new KeptBlob({ ...blob, mimeType }) } };
}
