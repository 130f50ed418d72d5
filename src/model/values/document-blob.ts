import { createHash } from 'node:crypto';
import type { Model, Property } from '../model.ts';
import { forEachBlob } from './read-value.ts';
import { asBlob, type StoredBlob, type StoredProperties, type StoredValue } from './stored.ts';
import { valueAt } from './value-location.ts';

/** A stored blob, or text that is presented as a blob. */
export interface BlobShape extends StoredBlob {
  /** The content, if it is not stored in the blob store. */
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

/** The xpath of the main blob. */
export const mainXpath = 'file:content';

/**
 * Matches names that identify a blob by position: `blobholder:0` is the main blob, `blobholder:1` is the first of the
 * other blobs.
 */
const blobholder = /^blobholder:(\d{1,6})$/;

/** Returns the xpaths of all blobs except the main blob, in the order of the schemas. */
function otherXpaths(model: Model, { type, facets, properties }: BlobOwner): string[] {
  const xpaths: string[] = [];
  for (const schema of model.schemasOf(type, facets))
    for (const property of schema.properties.values())
      forEachBlob(property, properties[property.xpath], (xpath) => xpaths.push(xpath));
  return xpaths.filter((xpath) => xpath !== mainXpath);
}

/** Returns the xpath of the blob that a URL identifies by xpath or position. An empty name means the main blob. */
export function blobXpath(model: Model, document: BlobOwner, name: string): string {
  const position = name === '' ? 0 : Number(blobholder.exec(name)?.[1]);
  if (Number.isNaN(position)) return name;
  return position === 0 ? mainXpath : (otherXpaths(model, document)[position - 1] ?? name);
}

/**
 * Returns the blob that a URL identifies by xpath or position. The main blob is `file:content` or, if that is empty,
 * the text of the note.
 */
export function blobAt(model: Model, document: BlobOwner, name: string): BlobShape | undefined {
  const xpath = blobXpath(model, document, name);
  if (xpath === 'note:note') return noteBlob(document);
  const located = valueAt(model.schemasOf(document.type, document.facets), document.properties, xpath);
  const found = located?.property.type === 'blob' ? asBlob(located.value) : undefined;
  return found ?? (xpath === mainXpath && name !== mainXpath ? noteBlob(document) : undefined);
}

/** Returns all blobs of a document, starting with the main blob. */
export function documentBlobs(model: Model, document: BlobOwner): BlobShape[] {
  const all = ['', ...otherXpaths(model, document)].map((name) => blobAt(model, document, name));
  return all.filter((blob) => blob !== undefined);
}

/**
 * Returns the blobs at an xpath, or within the value at the xpath. Returns undefined if the schemas do not have the
 * xpath.
 */
export function blobsAt(model: Model, document: BlobOwner, xpath: string): BlobShape[] | undefined {
  const located = valueAt(model.schemasOf(document.type, document.facets), document.properties, xpath);
  return located && blobsIn(located.property, located.value);
}
