import { createHash } from 'node:crypto';
import type { Model, Property } from '../model.ts';
import { forEachBlob } from './read-value.ts';
import { asBlob, type StoredBlob, type StoredProperties, type StoredValue } from './stored.ts';
import { valueAt } from './value-location.ts';

/** A stored blob, or a text presented as a blob. */
export interface BlobShape extends StoredBlob {
  /** Set if the bytes are not in the blob store. */
  readonly text?: string;
}

interface BlobOwner {
  readonly name: string;
  readonly type: string;
  readonly facets: readonly string[];
  readonly properties: StoredProperties;
}

export function textBlob(name: string, mimeType: string, text: string): BlobShape {
  const bytes = Buffer.from(text, 'utf8');
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { name, mimeType, encoding: 'UTF-8', digest, length: bytes.byteLength, text };
}

function noteBlob({ name, properties }: BlobOwner): BlobShape | undefined {
  const text = properties['note:note'];
  if (typeof text !== 'string') return undefined;
  return textBlob(name, String(properties['note:mime_type'] || 'text/plain'), text);
}

function blobsIn(property: Property, value: StoredValue | undefined): BlobShape[] {
  const blobs: BlobShape[] = [];
  forEachBlob(property, value, (_, blob) => blobs.push(blob));
  return blobs;
}

const mainBlobNames = new Set(['', 'blobholder:0']);

/** The xpath of a blob, of which the main blob may be named otherwise. */
export const blobXpath = (xpath: string): string => (mainBlobNames.has(xpath) ? 'file:content' : xpath);

/** The blob at an xpath. The main blob is the content of a file, or else the text of a note. */
export function blobAt(model: Model, document: BlobOwner, xpath: string): BlobShape | undefined {
  const schemas = model.schemasOf(document.type, document.facets);
  const at = (path: string) => {
    const located = valueAt(schemas, document.properties, path);
    return located?.property.type === 'blob' ? asBlob(located.value) : undefined;
  };
  if (mainBlobNames.has(xpath)) return at(blobXpath(xpath)) ?? noteBlob(document);
  return xpath === 'note:note' ? noteBlob(document) : at(xpath);
}

/** All blobs of a document, the main one first. */
export function documentBlobs(model: Model, document: BlobOwner): BlobShape[] {
  const schemas = model.schemasOf(document.type, document.facets);
  const properties = schemas.flatMap((schema) => [...schema.properties.values()]);
  const all = properties.flatMap((property) => blobsIn(property, document.properties[property.xpath]));
  const first = blobAt(model, document, '');
  return first ? [first, ...all.filter((blob) => blob !== first)] : all;
}

/** The blobs at an xpath, or inside the value there; undefined when the schemas do not have the xpath. */
export function blobsAt(model: Model, document: BlobOwner, xpath: string): BlobShape[] | undefined {
  const located = valueAt(model.schemasOf(document.type, document.facets), document.properties, xpath);
  return located && blobsIn(located.property, located.value);
}
