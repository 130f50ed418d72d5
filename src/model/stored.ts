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

/** Whether a stored value is an object with fields, as complex values and blobs are. */
export const isFields = (value: StoredValue | undefined): value is { [field: string]: StoredValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a property of type `blob`; the model, not the shape, says that it is one. */
export const asBlob = (value: StoredValue | undefined): StoredBlob | undefined =>
  isFields(value) ? (value as unknown as StoredBlob) : undefined;
