import { createHash } from 'node:crypto';
import { NotFound } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Model } from '../model/model.ts';
import { asBlob, type StoredBlob } from '../model/stored.ts';
import { valueAt } from '../model/value-at.ts';
import { builder } from './builder.ts';

/** Bytes of a document: of a blob, or the text of a note. */
export interface BlobShape extends StoredBlob {
  /** The bytes themselves when they are not in the blob store. */
  readonly text?: string;
}

/** Bytes that can be downloaded. */
export const Blob = builder.objectRef<BlobShape>('Blob').implement({
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true }),
    mimeType: t.exposeString('mimeType'),
    encoding: t.exposeString('encoding', { nullable: true }),
    digest: t.exposeString('digest', { description: 'SHA-256 in hexadecimal; the name in the blob store.' }),
    length: t.exposeFloat('length', { description: 'In bytes.' }),
    text: t.exposeString('text', {
      nullable: true,
      description: 'The content, when it is text of a property and not in the blob store.',
    }),
  }),
});

/** The text of a note as a file of its own. */
function noteBlob({ name, properties }: DocumentRow): BlobShape | undefined {
  const text = properties['note:note'];
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'utf8');
  return {
    name,
    mimeType: String(properties['note:mime_type'] || 'text/plain'),
    encoding: 'UTF-8',
    digest: createHash('sha256').update(bytes).digest('hex'),
    length: bytes.byteLength,
    text,
  };
}

/** The names under which a document's main blob is asked for. */
const main = new Set(['', 'blobholder:0']);

/**
 * The blob at an xpath, or the main one: the file's content, else the note's text.
 * @throws NotFound when there is none.
 */
export function blobOf(model: Model, document: DocumentRow, xpath: string): BlobShape {
  const schemas = model.schemasOf(document.type, document.facets);
  const at = (path: string) => {
    const place = valueAt(schemas, document.properties, path);
    return place?.property.type === 'blob' ? asBlob(place.value) : undefined;
  };
  const blob = main.has(xpath)
    ? (at('file:content') ?? noteBlob(document))
    : xpath === 'note:note'
      ? noteBlob(document)
      : at(xpath);
  if (!blob) throw new NotFound(`${document.path} has no blob at ${xpath || 'its main place'}`);
  return blob;
}
