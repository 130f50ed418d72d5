import { createDocument } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';
import { documentAfter, type Given, type Mutation, onDocumentWith, type Places, usual } from './mutation.ts';

const withFile = documentAfter('Document.Update', {
  properties: { 'file:content': { content: 'old', name: 'old.txt' } },
});

const refused = (
  given: Mutation['refuses'][number]['given'],
  message: RegExp,
  status = 400,
): Mutation['refuses'][number] => ({ given, status, message });

const blob = { content: '%PDF-1.7', name: 'new.pdf', type: 'application/pdf' };

const picture = { content: 'x', name: 'p.jpg', 'mime-type': 'image/jpeg' };

const attached =
  (more: Record<string, unknown> = {}, blobs: Given['blobs'] = [blob]) =>
  ({ document }: Places): Given => ({ params: { document: document?.uid, ...more }, blobs });

const inFolder =
  (more: Record<string, unknown> = {}) =>
  ({ folder }: Places): Given => ({
    context: { currentDocument: folder?.path },
    params: more,
    blobs: [blob],
  });

const folder = async (server: TestServer): Promise<Places> => ({
  folder: await createDocument(server, { type: 'Folder' }),
});

/** Operations on the files of documents and on the files of a call. */
export const fileMutations: Readonly<Record<string, Mutation>> = {
  'Blob.AttachOnDocument': {
    ...usual,
    given: attached(),
    answers: () => ({}), // bytes
    needs: { document: ['WriteProperties'] },
    refuses: [
      refused(
        ({ document }) => ({ params: { document: document?.uid } }),
        /accepts bloblist, not nothing\.$/,
      ),
      refused(
        (places) => ({ ...attached()(places), input: '/' }),
        /^input must contain only one of document, documents, text, user, blobs and upload.$/,
      ),
      refused(() => ({ blobs: [blob] }), /^document is missing$/),
      refused(attached({ document: '/nosuch' }), /^There is no document at \/nosuch\.$/, 404),
      refused(attached({ xpath: 'odd' }), /^unknown property: odd$/),
      refused(attached({ xpath: 'dc:title' }), /^dc:title is not a property that can contain files\.$/),
      refused(attached({ xpath: 'dc:subjects' }), /^dc:subjects is not a property that can contain files\.$/),
      refused(
        attached({ xpath: 'files:files/0/file' }),
        /^files:files\/0\/file: The list has no such item\.$/,
      ),
      refused(attached({}, [blob, blob]), /^file:content can contain only one file; got 2\.$/),
      refused(attached({ save: false }), /^save must be one of true$/),
      refused(
        attached({}, [{ ...blob, type: 'a/"b"' }]),
        /^Content-Type: "a\/\\?"b\\?"" is not a media type\.$/,
      ),
    ],
    records: [['documentModified', 'document']],
  },
  'Blob.RemoveFromDocument': {
    ...usual,
    make: withFile,
    needs: { document: ['WriteProperties'] },
    refuses: [
      refused(onDocumentWith({ xpath: 'dc:title' }), /^dc:title is not a property that can contain files\.$/),
      refused(onDocumentWith({ xpath: 'odd' }), /^unknown property: odd$/),
      refused(onDocumentWith({ xpath: 'files:files/3' }), /The list has no such item\.$/),
      refused(
        onDocumentWith({ xpath: 'dc:subjects/0' }),
        /^dc:subjects is not a property that can contain files\.$/,
      ),
      refused(() => ({}), /accepts document, not nothing\.$/),
    ],
    records: [['documentModified', 'document']],
  },
  'Document.SetBlob': {
    ...usual,
    given: onDocumentWith({ file: { content: 'new', name: 'new.txt' } }),
    answers: () => ({ properties: { 'file:content': { name: 'new.txt', length: '3' } } }),
    needs: { document: ['WriteProperties'] },
    refuses: [
      refused(onDocumentWith({}), /^file is missing$/),
      refused(onDocumentWith({ file: 'x' }), /^file must be a file: /),
      refused(
        onDocumentWith({ file: { content: 'x' }, xpath: 'dc:title' }),
        /^dc:title is not a property that can contain files\.$/,
      ),
      refused(onDocumentWith({ file: { 'upload-batch': 'x', 'upload-fileId': '0' } }), /batch/),
      refused(onDocumentWith({ file: { content: 'x' }, save: false }), /^save must be one of true$/),
    ],
    records: [['documentModified', 'document']],
  },
  'Document.SetBlobName': {
    ...usual,
    make: withFile,
    given: onDocumentWith({ name: 'new.txt' }),
    answers: () => ({ properties: { 'file:content': { name: 'new.txt' } } }),
    needs: { document: ['WriteProperties'] },
    refuses: [
      refused(onDocumentWith({}), /^name is missing$/),
      refused(
        onDocumentWith({ name: 'x', xpath: 'files:files/0/file' }),
        /^There is no file at files:files\/0\/file\.$/,
      ),
      refused(onDocumentWith({ name: 'x', xpath: 'dc:title' }), /^There is no file at dc:title\.$/),
      refused(onDocumentWith({ name: 'x\0' }), /NUL/),
    ],
    records: [['documentModified', 'document']],
  },
  'Picture.Create': {
    ...usual,
    make: folder,
    given: ({ folder: parent }) => ({
      input: parent?.uid,
      params: { name: 'new', properties: { originalPicture: picture, 'dc:title': 'T' } },
    }),
    answers: ({ folder: parent }) => ({
      type: 'Picture',
      title: 'T',
      path: `${parent?.path}/new`,
      properties: { 'file:content': { name: 'p.jpg', 'mime-type': 'image/jpeg' } },
    }),
    needs: { folder: ['AddChildren'] },
    refuses: [
      refused(
        ({ folder: parent }) => ({ input: parent?.uid, params: { properties: { originalPicture: 'x' } } }),
        /^properties: originalPicture must be a file: /,
      ),
      refused(
        ({ folder: parent }) => ({ input: parent?.uid, params: { properties: 'odd=1' } }),
        /^unknown property: odd$/,
      ),
    ],
    records: [['documentCreated', 'answer']],
    isNeverQuiet: true,
  },
  'FileManager.CreateFolder': {
    ...usual,
    make: folder,
    given: ({ folder: parent }) => ({ input: parent?.uid, params: { title: 'new' } }),
    answers: ({ folder: parent }) => ({ type: 'Folder', title: 'new', path: `${parent?.path}/new` }),
    needs: { folder: ['AddChildren'] },
    refuses: [
      refused(({ folder: parent }) => ({ input: parent?.uid }), /^title is missing$/),
      refused(
        ({ folder: parent }) => ({ input: parent?.uid, params: { title: 'a', properties: 'odd=1' } }),
        /^unknown property: odd$/,
      ),
    ],
    records: [['documentCreated', 'answer']],
    isNeverQuiet: true,
  },
  'FileManager.Import': {
    ...usual,
    make: folder,
    given: inFolder(),
    answers: ({ folder: parent }) => ({ type: 'File', title: 'new.pdf', path: `${parent?.path}/new.pdf` }),
    needs: { folder: ['AddChildren'] },
    refuses: [
      refused(() => ({ blobs: [blob] }), /^currentDocument is missing$/),
      refused(inFolder({ currentDocument: '/nosuch' }), /^There is no document at \/nosuch\.$/, 404),
      refused((places) => ({ ...inFolder()(places), blobs: [{ ...blob, name: '..' }] }), /cannot be a path/),
    ],
    records: [['documentCreated', 'answer']],
    isNeverQuiet: true,
  },
};
