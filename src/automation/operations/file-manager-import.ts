import { putDocument } from '../../store/put-document.ts';
import { referenceTo } from '../document-at.ts';
import { importedFrom } from '../imported-from.ts';
import { flag, reference } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally, required } from '../params.ts';

/** The input as documents. */
export const fileManagerImport = operation({
  id: 'FileManager.Import',
  label: 'Create Document from file',
  category: 'Services',
  description: 'Makes documents of the input blobs, of types that go with theirs, and answers them.',
  kind: 'mutation',
  takes: ['bloblist'],
  isOneForOne: true,
  gives: 'documents',
  params: {
    currentDocument: required(reference, 'The folder that they are made in; usually named in the context.'),
    overwrite: optionally(flag, false, 'Whether a document of the same name and type gets the file.'),
    noMimeTypeCheck: optionally(
      flag,
      false,
      'Whether the type that the caller says counts, whatever the name is.',
    ),
  },
  place: 'currentDocument',
  run: async (context, blobs, { currentDocument, overwrite, noMimeTypeCheck }) => {
    const folder = referenceTo(currentDocument);
    const entries = [];
    for (const blob of blobs) {
      const made = await importedFrom(context, blob, noMimeTypeCheck);
      const { versioning } = context.options;
      entries.push(await putDocument(context, folder, { ...made, versioning }, overwrite));
    }
    return { entries };
  },
});
