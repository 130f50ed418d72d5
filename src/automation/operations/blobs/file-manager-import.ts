import { putDocument } from '../../../store/documents/put-document.ts';
import { documentFromFile } from '../../blobs/document-from-file.ts';
import { referenceTo } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { flag, reference } from '../../params/kinds.ts';

export const fileManagerImport = operation({
  id: 'FileManager.Import',
  label: 'Create Document from file',
  category: 'Services',
  description: 'Creates a document for each input blob, of a type that fits it, and returns the documents.',
  example: {
    files: { 'notes.txt': 'Some notes.' },
    context: { currentDocument: '/default-domain/workspaces' },
  },
  kind: 'mutation',
  takes: ['bloblist'],
  isOneForOne: true,
  gives: 'documents',
  params: {
    currentDocument: reference.required('The folder of the documents; usually named in the context.'),
    overwrite: flag.withDefault(false, 'Whether a document of the same name and type is updated.'),
    noMimeTypeCheck: flag.withDefault(
      false,
      'Accepted for existing clients, and without effect: the media type was decided when the file arrived.',
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
