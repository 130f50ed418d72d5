/** JSON in the column `properties` of documents. */
export type StoredValue = string | number | boolean | null | StoredValue[] | { [field: string]: StoredValue };

/** Set properties by xpath; unset ones have no key. */
export type StoredProperties = Record<string, StoredValue>;

/** The value of a blob property; the bytes are in the blob store under the digest. */
export type StoredBlob = {
  name: string | null;
  mimeType: string;
  encoding: string | null;
  digest: string;
  length: number;
};

/** Stands for blob JSON in a body when the bytes are in the blob store already. */
export class ResolvedBlob {
  readonly blob: StoredBlob;
  constructor(blob: StoredBlob) {
    this.blob = blob;
  }
}

/** Whether a stored value is an object, which complex values and blobs are. */
export const isFields = (value: StoredValue | undefined): value is { [field: string]: StoredValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same text for equal values, whatever the order of their fields is. */
export const keyOf = (value: StoredValue): string =>
  JSON.stringify(value, (_, part: StoredValue) =>
    isFields(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

/** A member of an object; undefined for inherited members such as `constructor`. */
export const fieldOf = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Whether a value counts as unset: null and empty lists are not stored. */
export const isUnset = (value: StoredValue | undefined): value is null | undefined | [] =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

export const asBlob = (value: StoredValue | undefined): StoredBlob | undefined =>
  isFields(value) ? (value as unknown as StoredBlob) : undefined;
