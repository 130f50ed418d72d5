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
    digest: t.exposeString('digest', { description: 'SHA-256 in hexadecimal; the name in the blob store.' }),
    length: t.exposeFloat('length', { description: 'In bytes.' }),
    text: t.exposeString('text', {
      nullable: true,
      description: 'The text of a note, which is not in the blob store.',
    }),
    modified: t.exposeString('modified', {
      nullable: true,
      description: 'When its document was last changed; null for what is made of documents.',
    }),
    document: t.field({
      type: Document,
      nullable: true,
      description: 'The document of the blob; null for results of operations.',
      resolve: ({ document }) => document ?? null,
    }),
  }),
});

export const BlobInput = builder.inputType('BlobInput', {
  description: 'A blob whose bytes are in the blob store already.',
  fields: (t) => ({
    digest: t.string({ required: true, description: 'Their SHA-256 in hexadecimal.' }),
    name: t.string(),
    mimeType: t.string(),
    encoding: t.string(),
  }),
});

/** The blob at an xpath, or the main one. @throws an error of this class when there is none. */
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
