import { createHash } from 'node:crypto';
import type { Model, Property } from './model.ts';
import { eachBlob } from './read-value.ts';
import { asBlob, type StoredBlob, type StoredProperties, type StoredValue } from './stored.ts';
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

function blobsIn(property: Property, value: StoredValue | undefined): BlobShape[] {
  const blobs: BlobShape[] = [];
  eachBlob(property, value, (_, blob) => blobs.push(blob));
  return blobs;
}

/** The names under which a document's main blob is asked for. */
const main = new Set(['', 'blobholder:0']);

/** Where the blob of an xpath is kept, the main one's of a file. */
export const keptAt = (xpath: string): string => (main.has(xpath) ? 'file:content' : xpath);

/** The blob at an xpath, or the main one: the file's content, else the note's text; undefined when there is none. */
export function blobAt(model: Model, document: Holder, xpath: string): BlobShape | undefined {
  const schemas = model.schemasOf(document.type, document.facets);
  const at = (path: string) => {
    const place = valueAt(schemas, document.properties, path);
    return place?.property.type === 'blob' ? asBlob(place.value) : undefined;
  };
  if (main.has(xpath)) return at(keptAt(xpath)) ?? noteBlob(document);
  return xpath === 'note:note' ? noteBlob(document) : at(xpath);
}

/** All blobs in a document, the main one first; a note has its text. */
export function blobsOf(model: Model, document: Holder): BlobShape[] {
  const schemas = model.schemasOf(document.type, document.facets);
  const properties = schemas.flatMap((schema) => [...schema.properties.values()]);
  const all = properties.flatMap((property) => blobsIn(property, document.properties[property.xpath]));
  const first = blobAt(model, document, '');
  return first ? [first, ...all.filter((blob) => blob !== first)] : all;
}

/**
 * The blobs at an xpath and in what is there: those of a list, say.
 * @returns undefined when the document has no such place.
 */
export function blobsAt(model: Model, document: Holder, xpath: string): BlobShape[] | undefined {
  const found = valueAt(model.schemasOf(document.type, document.facets), document.properties, xpath);
  return found && blobsIn(found.property, found.value);
}
