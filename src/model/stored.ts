/** JSON as it is kept in a document's `properties` column. */
export type StoredValue = string | number | boolean | null | StoredValue[] | { [field: string]: StoredValue };

/** Set properties by xpath; unset ones have no key. */
export type StoredProperties = Record<string, StoredValue>;

/** A blob as a property holds it; its bytes are in the blob store under the digest. */
export type StoredBlob = {
  name: string | null;
  mimeType: string;
  encoding: string | null;
  /** SHA-256 in hexadecimal. */
  digest: string;
  /** In bytes. */
  length: number;
};

/** Bytes that are in the blob store already, in the place of what a body would say of a blob: no JSON is one. */
export class KeptBlob {
  readonly blob: StoredBlob;
  constructor(blob: StoredBlob) {
    this.blob = blob;
  }
}

/** Whether a stored value is an object with fields, as complex values and blobs are. */
export const isFields = (value: StoredValue | undefined): value is { [field: string]: StoredValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of a complex value; fields may be named as something that every object inherits. */
export const fieldOf = (value: { [field: string]: StoredValue }, name: string): StoredValue | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** Whether a value is the same as none: null and the empty list are not kept. */
export const isUnset = (value: StoredValue | undefined): value is null | undefined | [] =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** The value of a property of type `blob`; the model, not the shape, says that it is one. */
export const asBlob = (value: StoredValue | undefined): StoredBlob | undefined =>
  isFields(value) ? (value as unknown as StoredBlob) : undefined;
