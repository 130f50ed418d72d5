import { createHash } from 'node:crypto';
import type { Model } from './model.ts';
import { asBlob, type StoredBlob, type StoredProperties } from './stored.ts';
import { valueAt } from './value-at.ts';

/** Bytes of a document: of a blob, or the text of a note. */
export interface BlobShape extends StoredBlob {
  /** The bytes themselves when they are not in the blob store. */
  readonly text?: string;
}

/** What a document must tell for its blobs to be found. */
interface Holder {
  readonly name: string;
  readonly type: string;
  readonly facets: readonly string[];
  readonly properties: StoredProperties;
}

/** Text as a blob that is not in the blob store. */
export function textBlob(name: string, mimeType: string, text: string): BlobShape {
  const bytes = Buffer.from(text, 'utf8');
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { name, mimeType, encoding: 'UTF-8', digest, length: bytes.byteLength, text };
}

/** The text of a note as a file of its own. */
function noteBlob({ name, properties }: Holder): BlobShape | undefined {
  const text = properties['note:note'];
  if (typeof text !== 'string') return undefined;
  return textBlob(name, String(properties['note:mime_type'] || 'text/plain'), text);
}

/** The names under which a document's main blob is asked for. */
const main = new Set(['', 'blobholder:0']);

/** The blob at an xpath, or the main one: the file's content, else the note's text; undefined when there is none. */
export function blobAt(model: Model, document: Holder, xpath: string): BlobShape | undefined {
  const schemas = model.schemasOf(document.type, document.facets);
  const at = (path: string) => {
    const place = valueAt(schemas, document.properties, path);
    return place?.property.type === 'blob' ? asBlob(place.value) : undefined;
  };
  if (main.has(xpath)) return at('file:content') ?? noteBlob(document);
  return xpath === 'note:note' ? noteBlob(document) : at(xpath);
}
