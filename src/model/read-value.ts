import { Invalid } from '../errors.ts';
import { type BlobJson, readBlobJson } from './blob-json.ts';
import type { Property } from './model.ts';
import { asBlob, fieldOf, isFields, isUnset, KeptBlob, type StoredBlob, type StoredValue } from './stored.ts';

/** A blob named in a body: what it says has yet to be turned into a stored blob, which then is put in place. */
export interface PendingBlob {
  readonly xpath: string;
  readonly json: BlobJson;
  readonly put: (value: StoredValue) => void;
}

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

const wrong = (xpath: string, expected: string, json: unknown): Invalid =>
  new Invalid(`Unable to deserialize property: ${xpath}: expected ${expected}, got ${kindOf(json)}`);

const calendarDate = /^\d{4}(?:-\d\d(?:-(\d\d))?)?$/;
const clockTime = /^(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|([+-]\d\d):?(\d\d))?$/;

/** Milliseconds since 1970, or NaN: stricter than `Date`, which takes the 30th of February for the 1st of March. */
function parseDate(text: string): number {
  const [date = '', time, ...rest] = text.split('T');
  const [whole, day] = calendarDate.exec(date) ?? [];
  const isWrongDay = day !== undefined && new Date(date).getUTCDate() !== Number(day);
  if (whole === undefined || isWrongDay || rest.length > 0) return Number.NaN;
  if (time === undefined) return Date.parse(date);
  const [, clock, hours, minutes] = clockTime.exec(time) ?? [];
  if (day === undefined || clock === undefined) return Number.NaN;
  return Date.parse(`${date}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

/**
 * A W3C date-time in any precision and zone, as UTC with milliseconds; without a zone it is UTC.
 * @throws Invalid when it is none, or when its zone takes it out of the years 0 to 9999, which alone have four digits.
 */
export function readDate(json: unknown, xpath: string): string {
  if (typeof json !== 'string') throw wrong(xpath, 'a date', json);
  const date = new Date(parseDate(json));
  if (Number.isNaN(date.getTime()))
    throw new Invalid(`${xpath}: "${json.slice(0, 40)}" is not a W3C date-time`);
  const text = date.toISOString();
  if (text.length !== 'YYYY-MM-DDThh:mm:ss.sssZ'.length)
    throw new Invalid(`${xpath}: "${json}" is not within the years 0 to 9999`);
  return text;
}

/** The id that stands for an entity: what a fetch property put into an answer may be sent back. */
function idOf(json: unknown): unknown {
  if (!isObject(json) || typeof json['entity-type'] !== 'string') return json;
  return (json['entity-type'] === 'document' ? json.uid : json.id) ?? json;
}

function readScalar(property: Property, json: unknown, xpath: string): StoredValue {
  switch (property.type) {
    case 'boolean':
      if (typeof json !== 'boolean') throw wrong(xpath, 'a boolean', json);
      return json;
    case 'long':
      if (!Number.isSafeInteger(json)) throw wrong(xpath, 'a whole number', json);
      return (json as number) + 0; // JSON has a -0, and the database gives back 0
    case 'double':
      if (typeof json !== 'number' || !Number.isFinite(json)) throw wrong(xpath, 'a number', json);
      return json + 0;
    case 'date':
      return readDate(json, xpath);
    default:
      if (typeof json !== 'string') throw wrong(xpath, 'a string', json);
      return json;
  }
}

function readFields(property: Property, json: unknown, xpath: string, pending: PendingBlob[]): StoredValue {
  if (!isObject(json)) throw wrong(xpath, 'an object', json);
  const fields: Record<string, StoredValue> = {};
  for (const [name, value] of Object.entries(json)) {
    const field = property.fields.get(name);
    if (!field) throw new Invalid(`${xpath} has no field "${name}"`);
    const put = (stored: StoredValue) => {
      if (!isUnset(stored)) fields[name] = stored;
    };
    put(readAt(field, value, `${xpath}/${name}`, put, pending));
  }
  return fields;
}

type Put = PendingBlob['put'];

function readOne(
  property: Property,
  json: unknown,
  xpath: string,
  put: Put,
  pending: PendingBlob[],
): StoredValue {
  if (property.type === 'complex') return readFields(property, json, xpath, pending);
  if (property.type !== 'blob') return readScalar(property, property.refersTo ? idOf(json) : json, xpath);
  if (json instanceof KeptBlob) return json.blob;
  if (!isObject(json)) throw wrong(xpath, 'a blob object', json);
  pending.push({ xpath, json: readBlobJson(json, xpath), put });
  return null;
}

function readAt(
  property: Property,
  json: unknown,
  xpath: string,
  put: Put,
  pending: PendingBlob[],
): StoredValue {
  if (!property.many) {
    // `fetch.document: dc:coverage` answers one value as a list of one entity (§10.1).
    const single = property.refersTo && Array.isArray(json) && json.length < 2 ? (json[0] ?? null) : json;
    return single === null ? null : readOne(property, single, xpath, put, pending);
  }
  if (json === null) return [];
  if (!Array.isArray(json)) throw wrong(xpath, 'a list', json);
  const items: StoredValue[] = [];
  json.forEach((item, index) => {
    items[index] = readOne(property, item, `${xpath}/${index}`, (stored) => (items[index] = stored), pending);
  });
  return items;
}

/**
 * Reads a property's JSON from a body.
 * @param put where the value goes; blobs are put there, or into the value, later.
 * @param pending gains the blobs named in the value.
 * @throws Invalid when the JSON is of another type than the property.
 */
export function readValue(property: Property, json: unknown, put: Put, pending: PendingBlob[]): void {
  put(readAt(property, json, property.xpath, put, pending));
}

/** Calls with every blob in a stored value and its xpath: `files:files/0/file`. */
export function eachBlob(
  property: Property,
  value: StoredValue | undefined,
  found: (xpath: string, blob: StoredBlob) => void,
  xpath = property.xpath,
): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      eachBlob(property, item, found, `${xpath}/${index}`);
    });
  } else if (property.type === 'blob') {
    const blob = asBlob(value);
    if (blob) found(xpath, blob);
  } else if (property.type === 'complex' && isFields(value)) {
    for (const [name, field] of property.fields)
      eachBlob(field, fieldOf(value, name), found, `${xpath}/${name}`);
  }
}
