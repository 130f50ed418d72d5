import { essence } from '../../blobs/media-type.ts';
import { readBlobStart } from '../../blobs/text.ts';
import { textLimit } from '../../converters/texts/text-limit.ts';
import { Invalid, NotFound, NotInstalled } from '../../errors.ts';
import { type BlobShape, blobAt } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { convertBlob } from './convert.ts';

/** Matches the media types of files that are text, so that they can be read without a conversion. */
const textual = /^text\/|[/+](json|xml|javascript|yaml|x-yaml|x-sh|sql)$/;

interface FileText {
  readonly name: string;
  readonly mimeType: string;
  /** The beginning of the text, up to the limit for searches. */
  readonly text: string;
}

/** Returns the file whose bytes are the text of a file; undefined if the text cannot be read. */
async function textFile(context: Context, blob: BlobShape): Promise<BlobShape | undefined> {
  const isPlain = ['text/plain', 'text/markdown'].includes(essence(blob.mimeType));
  if (blob.text !== undefined && isPlain) return blob;
  try {
    return await convertBlob(context, blob, { type: 'text/plain' });
  } catch (error) {
    const isUnreadable = [Invalid, NotFound, NotInstalled].some((kind) => error instanceof kind);
    if (!isUnreadable) throw error;
    return textual.test(essence(blob.mimeType)) ? blob : undefined;
  }
}

/**
 * Reads the text of a document's file, as searches find it.
 * @param xpath the location of the file; an empty string means the main file
 * @returns null if there is no file, or its text cannot be read
 */
export async function fileText(
  context: Context,
  document: DocumentRow,
  xpath: string,
): Promise<FileText | null> {
  const { model, blobs } = context.services;
  const blob = blobAt(model, document, xpath);
  const found = blob && (await textFile(context, blob));
  if (!found) return null;
  const text = found.text ?? (await readBlobStart(blobs, found, 4 * textLimit));
  return { name: blob.name ?? document.name, mimeType: blob.mimeType, text: text.slice(0, textLimit) };
}
