import { essence } from '../../../blobs/media-type.ts';
import { decodeText } from '../../../blobs/text.ts';
import type { Context } from '../../../loaders/context.ts';
import { normalizedName } from '../../../model/names.ts';
import { fileDocumentType, isNoteType, maxNoteBytes, noteOf } from '../../../model/notes.ts';
import { ResolvedBlob, type StoredBlob } from '../../../model/values/stored.ts';
import type { NewDocument } from '../../../store/documents/create-document.ts';
import { putDocument } from '../../../store/documents/put-document.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { flag, reference } from '../../params/kinds.ts';

/** Returns the text of a file. Returns undefined if the file is too large or its encoding is uncertain. */
async function textOf(
  { services: { blobs } }: Context,
  { digest, length, encoding }: StoredBlob,
): Promise<string | undefined> {
  if (length > maxNoteBytes || !/^(utf-?(8|16([lb]e)?)|us-ascii)$/i.test(encoding ?? 'utf-8'))
    return undefined;
  return decodeText(await blobs.readAll(digest));
}

/**
 * Returns the document to create for a file: a note if the file contains text, otherwise a document whose type depends
 * on the media type (§4.7). The name is normalized to NFC.
 */
async function documentFromFile(context: Context, blob: StoredBlob): Promise<NewDocument> {
  const mimeType = essence(blob.mimeType);
  const file = blob.name ?? 'blob';
  const title = { 'dc:title': file };
  const name = normalizedName(file);
  const text = isNoteType(mimeType) ? await textOf(context, blob) : undefined;
  if (text !== undefined) {
    const note = noteOf(text, mimeType, context.services.markdownType);
    return { name, ...note, properties: { ...title, ...note.properties } };
  }
  const properties = { ...title, 'file:content': new ResolvedBlob(blob) };
  return { name, type: fileDocumentType(mimeType), properties };
}

export const fileManagerImport = operation({
  id: 'FileManager.Import',
  label: 'Create Document from file',
  category: 'Services',
  description: 'Creates a document of a suitable type for each input blob, and returns the documents.',
  example: {
    files: { 'notes.txt': 'Some notes.' },
    context: { currentDocument: '/default-domain/workspaces' },
  },
  kind: 'mutation',
  takes: ['bloblist'],
  isOneForOne: true,
  gives: 'documents',
  params: {
    currentDocument: reference.required(
      'The folder in which the documents are created; usually given in the context.',
    ),
    overwrite: flag.withDefault(false, 'Whether to update an existing document with the same name and type.'),
    noMimeTypeCheck: flag.withDefault(
      false,
      'Ignored, because the media type is determined when the file is uploaded.',
    ),
  },
  documentParam: 'currentDocument',
  run: async (context, blobs, { currentDocument, overwrite }) => {
    const folder = referenceTo(currentDocument);
    const entries = [];
    for (const blob of blobs) {
      const made = await documentFromFile(context, blob);
      const { versioning } = context.options;
      entries.push(await putDocument(context, folder, { ...made, versioning }, overwrite));
    }
    return { entries };
  },
});
