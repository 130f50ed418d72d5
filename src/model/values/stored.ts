/** A value in the JSON of the column `document.properties`. */
export type StoredValue = string | number | boolean | null | StoredValue[] | { [field: string]: StoredValue };

/** The properties that have a value, by xpath. Unset properties are absent. */
export type StoredProperties = Record<string, StoredValue>;

/** The value of a blob property. The bytes are in the blob store under the digest. */
export type StoredBlob = {
  name: string | null;
  mimeType: string;
  encoding: string | null;
  digest: string;
  length: number;
};

/** Replaces a blob object in a request body if the bytes are already in the blob store. */
export class ResolvedBlob {
  readonly blob: StoredBlob;
  constructor(blob: StoredBlob) {
    this.blob = blob;
  }
}

/** Returns whether a stored value is an object: a complex value or a blob. */
export const isFields = (value: StoredValue | undefined): value is { [field: string]: StoredValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a canonical string for a value. It is the same for equal values, regardless of the order of their fields. */
export const keyOf = (value: StoredValue): string =>
  JSON.stringify(value, (_, part: StoredValue) =>
    isFields(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

/** Returns an object's own member; undefined for inherited members such as `constructor`. */
export const fieldOf = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns whether a value counts as not set. Null and empty lists are not stored. */
export const isUnset = (value: StoredValue | undefined): value is null | undefined | [] =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

export const asBlob = (value: StoredValue | undefined): StoredBlob | undefined =>
  isFields(value) ? (value as unknown as StoredBlob) : undefined;
