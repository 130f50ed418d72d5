import { NotFound, type NothingToConvert } from '../../errors.ts';
import { builder, Document } from '../../graphql/builder.ts';
import type { BlobWithDocument } from '../../loaders/blobs/blob-with-document.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Model } from '../../model/model.ts';
import { blobAt } from '../../model/values/document-blob.ts';

export const Blob = builder.objectRef<BlobWithDocument>('Blob').implement({
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    mimeType: t.exposeString('mimeType'),
    encoding: t.exposeString('encoding', { nullable: true }),
    digest: t.exposeString('digest', {
      description: 'The SHA-256 digest in hexadecimal, under which the blob store stores the file.',
    }),
    length: t.exposeFloat('length', { description: 'The length in bytes.' }),
    text: t.exposeString('text', {
      nullable: true,
      description: 'The text of a note, which is not stored in the blob store; null for files.',
    }),
    modified: t.exposeString('modified', {
      nullable: true,
      description: 'The time at which the document was last changed; null for generated files.',
    }),
    document: t.field({
      type: Document,
      nullable: true,
      description: 'The document that contains the blob; null for the results of operations.',
      resolve: ({ document }) => document ?? null,
    }),
  }),
});

export const BlobInput = builder.inputType('BlobInput', {
  description: 'A blob whose bytes have already been stored in the blob store.',
  fields: (t) => ({
    digest: t.string({ required: true, description: 'The SHA-256 digest of the bytes in hexadecimal.' }),
    name: t.string(),
    mimeType: t.string(),
    encoding: t.string(),
  }),
});

/**
 * Returns the blob at an xpath, or the main blob.
 * @throws an error of the given class if there is none
 */
export function requireBlob(
  model: Model,
  document: DocumentRow,
  xpath: string,
  Missing: typeof NotFound | typeof NothingToConvert = NotFound,
): BlobWithDocument {
  const blob = blobAt(model, document, xpath);
  if (!blob) throw new Missing(`${document.path} has no ${xpath ? `blob at ${xpath}` : 'main file'}`);
  const modified = document.properties['dc:modified'];
  return { ...blob, document, ...(typeof modified === 'string' && { modified }) };
}
