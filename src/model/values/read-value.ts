import { Invalid, readEach } from '../../errors.ts';
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

/** The position of a value that is read. */
interface Slot {
  readonly xpath: string;
  readonly put: (value: StoredValue) => void;
}

/** A blob in a body, to be converted to a stored blob and then put into its slot. */
export interface PendingBlob extends Slot {
  readonly json: BlobJson;
}

/**
 * An entry of a hierarchical vocabulary that a body holds as an entity, as fetch properties answer it. Its slot has
 * the id, which is the last part of the value, until the ancestors of the entry are known.
 */
export interface PendingEntry extends Slot {
  readonly directory: string;
  readonly id: string;
  /** Between the ids of the ancestors and the entry, from the top down. */
  readonly separator: string;
}

/** The parts of a body that can be read only with the database. */
export interface Pending {
  readonly blobs: PendingBlob[];
  readonly entries: PendingEntry[];
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

const typeFault = (xpath: string, expected: string, json: unknown): Invalid =>
  new Invalid(`Unable to deserialize property: ${xpath}: expected ${expected}, got ${kindOf(json)}`);

const calendarDate = /^\d{4}(?:-\d\d(?:-(\d\d))?)?$/;
const clockTime = /^(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|([+-]\d\d):?(\d\d))?$/;

/** Milliseconds since 1970, or NaN. Stricter than `Date`, which reads February 30 as March 1 or 2. */
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

/**
 * Converts a W3C date-time of any precision and zone to UTC with milliseconds; UTC is the default zone.
 * @throws Invalid on invalid syntax, and outside the years 0 to 9999.
 */
export function readDate(json: unknown, xpath: string): string {
  if (typeof json !== 'string') throw typeFault(xpath, 'a date', json);
  const date = new Date(parseDate(json));
  if (Number.isNaN(date.getTime()))
    throw new Invalid(`${xpath}: "${json.slice(0, 40)}" is not a W3C date-time`);
  const text = date.toISOString();
  if (text.length !== 'YYYY-MM-DDThh:mm:ss.sssZ'.length)
    throw new Invalid(`${xpath}: "${json}" is not within the years 0 to 9999`);
  return text;
}

/** Clients may send back the entity by which a fetch property replaced an id. */
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

function readScalar(type: PlainType, json: unknown, xpath: string): StoredValue {
  switch (type) {
    case 'boolean':
      if (typeof json !== 'boolean') throw typeFault(xpath, 'a boolean', json);
      return json;
    case 'long':
      if (!Number.isSafeInteger(json)) {
        const limits = Number.isInteger(json) ? ` within ±${Number.MAX_SAFE_INTEGER}` : '';
        throw typeFault(xpath, `a whole number${limits}`, json);
      }
      return (json as number) + 0; // JSON has -0, which the database stores as 0
    case 'double':
      if (typeof json !== 'number' || !Number.isFinite(json)) throw typeFault(xpath, 'a number', json);
      return json + 0;
    case 'date':
      return readDate(json, xpath);
    case 'string':
    case 'binary':
      if (typeof json !== 'string') throw typeFault(xpath, 'a string', json);
      return json;
  }
}

function readFields(property: Property, json: unknown, xpath: string, pending: Pending): StoredValue {
  if (!isObject(json)) throw typeFault(xpath, 'an object', json);
  const fields: Record<string, StoredValue> = {};
  readEach(Object.entries(json), ([name, value]) => {
    const field = property.fields.get(name);
    if (!field) throw new Invalid(`${xpath} has no field "${name}"`);
    const put = (stored: StoredValue) => {
      if (!isUnset(stored)) fields[name] = stored;
    };
    put(readAt(field, value, { xpath: `${xpath}/${name}`, put }, pending));
  });
  return fields;
}

function readOne(property: Property, json: unknown, slot: Slot, pending: Pending): StoredValue {
  const { xpath } = slot;
  const { type, refersTo } = property;
  if (type === 'complex') return readFields(property, json, xpath, pending);
  if (type !== 'blob') {
    const value = readScalar(type, refersTo ? idOf(json, refersTo) : json, xpath);
    if (isObject(json) && refersTo?.to === 'directory' && refersTo.separator && typeof value === 'string')
      pending.entries.push({ ...slot, ...refersTo, separator: refersTo.separator, id: value });
    return value;
  }
  if (json instanceof ResolvedBlob) return json.blob;
  if (!isObject(json)) throw typeFault(xpath, 'a blob object', json);
  pending.blobs.push({ ...slot, json: readBlobJson(json, xpath) });
  return null;
}

const clearedByBlank: ReadonlySet<Property['type']> = new Set(['boolean', 'long', 'double', 'date']);

/** Forms send an empty text for a date, a number, a boolean or an entry of a vocabulary that is not set. */
const isBlank = ({ type, refersTo }: Property, json: unknown): boolean =>
  json === '' && (clearedByBlank.has(type) || refersTo?.to === 'directory');

function readAt(property: Property, json: unknown, slot: Slot, pending: Pending): StoredValue {
  if (!property.many) {
    const single = isListed(property) && Array.isArray(json) && json.length < 2 ? (json[0] ?? null) : json;
    return single === null || isBlank(property, single) ? null : readOne(property, single, slot, pending);
  }
  if (json === null || isBlank(property, json)) return [];
  if (!Array.isArray(json)) throw typeFault(slot.xpath, 'a list', json);
  const items: StoredValue[] = [];
  const set = json.filter((item) => !isBlank(property, item));
  readEach(set.entries(), ([index, item]) => {
    const put = (stored: StoredValue) => {
      items[index] = stored;
    };
    put(readOne(property, item, { xpath: `${slot.xpath}/${index}`, put }, pending));
  });
  return items;
}

/**
 * Reads the value of a property from a body.
 * @param put receives the value; if it is a blob, once more when the blob is stored.
 * @param pending receives the parts of the value that need the database.
 * @throws Invalid when the JSON is of another type than the property, naming each such part of it.
 */
export function readValue(property: Property, json: unknown, put: Slot['put'], pending: Pending): void {
  put(readAt(property, json, { xpath: property.xpath, put }, pending));
}

/** Visits every blob in a stored value with its xpath, such as `files:files/0/file`. */
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
