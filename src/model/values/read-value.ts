import { type Faults, Invalid } from '../../errors.ts';
import type { ReferenceTarget } from '../definitions.ts';
import type { Property } from '../model.ts';
import { type BlobJson, readBlobJson } from './blob-json.ts';
import { isListed } from './references.ts';
import {
  asBlob,
  fieldOf,
  isFields,
  isUnset,
  ResolvedBlob,
  type StoredBlob,
  type StoredValue,
} from './stored.ts';

/** The xpath of a value that is being read, and a function that stores the value there. */
interface Slot {
  readonly xpath: string;
  readonly put: (value: StoredValue) => void;
}

/** A blob object in a request body. Once its bytes have been stored, the stored blob is put into the slot. */
export interface PendingBlob extends Slot {
  readonly json: BlobJson;
}

/** A reference to an upload in a request body. The text of the uploaded file becomes the value of a string property. */
export interface PendingText extends PendingBlob {
  /** The maximum number of characters; undefined if the text is limited only by the size of the request body. */
  readonly maxLength: number | undefined;
}

/**
 * An entry of a hierarchical vocabulary in a request body, given as the entity that fetch properties return. The slot
 * contains the id of the entry until the entry's ancestors have been looked up; after that, it contains the complete
 * value, such as "europe/France".
 */
export interface PendingEntry extends Slot {
  readonly directory: string;
  readonly id: string;
  /** The separator between the ids, from the topmost ancestor to the entry. */
  readonly separator: string;
}

/** The parts of a request body that cannot be read without the database. */
export interface Pending {
  readonly blobs: PendingBlob[];
  readonly entries: PendingEntry[];
  /** The strings to read from uploads; absent if properties cannot take their values from uploads. */
  readonly texts?: PendingText[];
}

export const nothingPending = (): Pending => ({ blobs: [], entries: [] });

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const kindOf = (json: unknown): string =>
  json === null
    ? 'null'
    : Array.isArray(json)
      ? 'a list'
      : typeof json === 'object'
        ? 'an object'
        : `a ${typeof json}`;

const typeFault = (xpath: string, expected: string, json: unknown): string =>
  `Unable to deserialize property: ${xpath}: expected ${expected}, got ${kindOf(json)}`;

/**
 * The location of a value, for use in error messages, and the errors found so far. The location is an xpath, or an item
 * of the list at that xpath.
 */
interface At {
  readonly faults: Faults;
  readonly xpath: string;
  readonly index?: number;
}

const xpathOf = ({ xpath, index }: At): string => (index === undefined ? xpath : `${xpath}/${index}`);

function addTypeFault(at: At, expected: string, json: unknown): undefined {
  at.faults.add(() => typeFault(xpathOf(at), expected, json));
}

const calendarDate = /^\d{4}(?:-\d\d(?:-(\d\d))?)?$/;
const clockTime = /^(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|([+-]\d\d):?(\d\d))?$/;

/**
 * Returns the number of milliseconds since 1970, or NaN. This function is stricter than `Date.parse`, which reads
 * February 30 as March 1 or 2.
 */
function parseDate(text: string): number {
  const [date = '', time, ...rest] = text.split('T');
  const [matched, day] = calendarDate.exec(date) ?? [];
  const isWrongDay = day !== undefined && new Date(date).getUTCDate() !== Number(day);
  if (matched === undefined || isWrongDay || rest.length > 0) return Number.NaN;
  if (time === undefined) return Date.parse(date);
  const [, clock, hours, minutes] = clockTime.exec(time) ?? [];
  if (day === undefined || clock === undefined) return Number.NaN;
  return Date.parse(`${date}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

/** Converts a date to UTC. Returns an error if the text is not a valid date. */
function convertDate(text: string): { readonly date: string } | { readonly fault: string } {
  const date = new Date(parseDate(text));
  if (Number.isNaN(date.getTime())) return { fault: `"${text.slice(0, 40)}" is not a W3C date-time` };
  const converted = date.toISOString();
  return converted.length === 'YYYY-MM-DDThh:mm:ss.sssZ'.length
    ? { date: converted }
    : { fault: `"${text}" is not within the years 0 to 9999` };
}

/**
 * Converts a W3C date-time of any precision and in any time zone to UTC with milliseconds. The default time zone is
 * UTC.
 * @throws Invalid if the syntax is invalid or the date is outside the years 0 to 9999
 */
export function readDate(json: unknown, xpath: string): string {
  if (typeof json !== 'string') throw new Invalid(typeFault(xpath, 'a date', json));
  const converted = convertDate(json);
  if ('fault' in converted) throw new Invalid(converted.fault, { field: xpath });
  return converted.date;
}

/**
 * Returns the id from an entity. This is needed because clients can send back the entity with which a fetch
 * property has replaced an id.
 */
function idOf(json: unknown, target: ReferenceTarget): unknown {
  if (!isObject(json)) return json;
  const isTarget =
    target.to === 'directory'
      ? json['entity-type'] === 'directoryEntry' &&
        (json.directoryName ?? target.directory) === target.directory
      : json['entity-type'] === target.to;
  return (isTarget ? (target.to === 'document' ? json.uid : json.id) : undefined) ?? json;
}

type PlainType = Exclude<Property['type'], 'complex' | 'blob'>;

/** Reads a scalar. If the value is invalid, adds an error and returns undefined; the functions below do the same. */
function readScalar(type: PlainType, json: unknown, at: At): StoredValue | undefined {
  switch (type) {
    case 'boolean':
      return typeof json === 'boolean' ? json : addTypeFault(at, 'a boolean', json);
    case 'long': {
      if (Number.isSafeInteger(json)) return (json as number) + 0; // JSON can contain -0, which PostgreSQL stores as 0.
      const limits = Number.isInteger(json) ? ` within ±${Number.MAX_SAFE_INTEGER}` : '';
      return addTypeFault(at, `an integer${limits}`, json);
    }
    case 'double':
      if (typeof json !== 'number' || !Number.isFinite(json)) return addTypeFault(at, 'a number', json);
      return json + 0;
    case 'date': {
      if (typeof json !== 'string') return addTypeFault(at, 'a date', json);
      const converted = convertDate(json);
      if ('date' in converted) return converted.date;
      at.faults.add(() => `${xpathOf(at)}: ${converted.fault}`);
      return undefined;
    }
    case 'string':
    case 'binary':
      return typeof json === 'string' ? json : addTypeFault(at, 'a string', json);
  }
}

/** Collects the pending parts and the errors of a value. */
interface Reading {
  readonly pending: Pending;
  readonly faults: Faults;
}

function readFields(property: Property, json: unknown, xpath: string, reading: Reading) {
  const { faults } = reading;
  if (!isObject(json)) return addTypeFault({ faults, xpath }, 'an object', json);
  const fields: Record<string, StoredValue> = {};
  for (const name of Object.keys(json)) {
    const field = property.fields.get(name);
    if (!field) {
      faults.add(() => `${xpath} has no field "${name}"`);
      continue;
    }
    const put = (stored: StoredValue) => {
      if (!isUnset(stored)) fields[name] = stored;
    };
    const stored = readAt(field, json[name], { xpath: `${xpath}/${name}`, put }, reading);
    if (stored !== undefined) put(stored);
  }
  return fields;
}

function readOne(property: Property, json: unknown, slot: Slot, reading: Reading): StoredValue | undefined {
  const { xpath } = slot;
  const { faults, pending } = reading;
  const { type, refersTo } = property;
  if (type === 'complex') return readFields(property, json, xpath, reading);
  if (type === 'string' && pending.texts && isObject(json) && json['upload-batch'] !== undefined) {
    const upload = readBlobJson(json, xpath, faults);
    if (upload) pending.texts.push({ ...slot, json: upload, maxLength: property.constraints.maxLength });
    return upload && null;
  }
  if (type !== 'blob') {
    const value = readPlain(property, type, json, { faults, xpath });
    if (isObject(json) && refersTo?.to === 'directory' && refersTo.separator && typeof value === 'string')
      pending.entries.push({ ...slot, ...refersTo, separator: refersTo.separator, id: value });
    return value;
  }
  if (json instanceof ResolvedBlob) return json.blob;
  if (!isObject(json)) return addTypeFault({ faults, xpath }, 'a blob object', json);
  const blob = readBlobJson(json, xpath, faults);
  if (blob) pending.blobs.push({ ...slot, json: blob });
  return blob && null;
}

const readPlain = ({ refersTo }: Property, type: PlainType, json: unknown, at: At): StoredValue | undefined =>
  readScalar(type, refersTo ? idOf(json, refersTo) : json, at);

const clearedByBlank: ReadonlySet<Property['type']> = new Set(['boolean', 'long', 'double', 'date']);

/** Returns whether "" means null. Forms send "" for a date, number, boolean or vocabulary entry that is not set. */
const isBlank = ({ type, refersTo }: Property, json: unknown): boolean =>
  json === '' && (clearedByBlank.has(type) || refersTo?.to === 'directory');

function readItems(
  property: Property,
  json: readonly unknown[],
  xpath: string,
  reading: Reading,
): StoredValue {
  const { type } = property;
  const { faults } = reading;
  const items: StoredValue[] = [];
  const set = json.filter((item) => !isBlank(property, item));
  for (const [index, item] of set.entries()) {
    if (type !== 'complex' && type !== 'blob' && !isObject(item)) {
      items[index] = readPlain(property, type, item, { faults, xpath, index }) ?? null;
      continue;
    }
    const put = (stored: StoredValue) => {
      items[index] = stored;
    };
    put(readOne(property, item, { xpath: `${xpath}/${index}`, put }, reading) ?? null);
  }
  return items;
}

function readAt(property: Property, json: unknown, slot: Slot, reading: Reading): StoredValue | undefined {
  if (!property.many) {
    const single = isListed(property) && Array.isArray(json) && json.length < 2 ? (json[0] ?? null) : json;
    return single === null || isBlank(property, single) ? null : readOne(property, single, slot, reading);
  }
  if (json === null || isBlank(property, json)) return [];
  const { xpath } = slot;
  if (!Array.isArray(json)) return addTypeFault({ faults: reading.faults, xpath }, 'a list', json);
  return readItems(property, json, xpath, reading);
}

/**
 * Reads the value of a property from the JSON of a request body.
 * @param put receives the value; for a blob, called again when the blob has been stored
 * @param reading collects the parts of the value that need the database, and an error for each part with the wrong type
 */
export function readValue(property: Property, json: unknown, put: Slot['put'], reading: Reading): void {
  const stored = readAt(property, json, { xpath: property.xpath, put }, reading);
  if (stored !== undefined) put(stored);
}

/** Calls a function for each blob in a stored value, with its xpath, such as `files:files/0/file`. */
export function forEachBlob(
  property: Property,
  value: StoredValue | undefined,
  visit: (xpath: string, blob: StoredBlob) => void,
  xpath = property.xpath,
): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      forEachBlob(property, item, visit, `${xpath}/${index}`);
    });
  } else if (property.type === 'blob') {
    const blob = asBlob(value);
    if (blob) visit(xpath, blob);
  } else if (property.type === 'complex' && isFields(value)) {
    for (const [name, field] of property.fields)
      forEachBlob(field, fieldOf(value, name), visit, `${xpath}/${name}`);
  }
}
