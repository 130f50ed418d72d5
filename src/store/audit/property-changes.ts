import { isDeepStrictEqual } from 'node:util';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { isFields, isUnset, type StoredValue } from '../../model/values/stored.ts';

/** A change to a property, as log entries record it. Unset values are null. */
export type PropertyChange = {
  readonly property: string;
  readonly before: StoredValue;
  readonly after: StoredValue;
};

/** Properties that every change of a document writes. */
const alwaysWritten: ReadonlySet<string> = new Set(['dc:modified', 'dc:contributors', 'dc:lastContributor']);

/**
 * The maximum number of properties in a log entry, the maximum length of a recorded value in UTF-16 code units, and the
 * number of code units of unchanged text that are recorded on each side of a change in a longer value.
 */
const max = { properties: 20, length: 200, context: 60 };

/**
 * Reduces a file to its name and length. The digest is omitted, because a client that knows the digest of a file could
 * attach the file to a document, even after the file has been removed from this one.
 */
function withoutDigests(value: StoredValue): StoredValue {
  if (Array.isArray(value)) return value.map(withoutDigests);
  if (!isFields(value)) return value;
  if (typeof value.digest === 'string') return { name: value.name ?? null, length: value.length ?? null };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutDigests(part)]));
}

function commonLength(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let length = 0;
  while (length < limit && one[length] === other[length]) length += 1;
  return length;
}

function commonEnd(one: string, other: string, start: number): number {
  const limit = Math.min(one.length, other.length) - start;
  let length = 0;
  while (length < limit && one[one.length - 1 - length] === other[other.length - 1 - length]) length += 1;
  return length;
}

/** The part of a text from `start` to `end`, cut to the maximum length, with an ellipsis in place of omitted text. */
function excerpt(text: string, start: number, end: number): string {
  const last = Math.min(end, start + max.length);
  return `${start > 0 ? '…' : ''}${text.slice(start, last)}${last < text.length ? '…' : ''}`.toWellFormed();
}

/** Shortens two texts to the place where they differ. */
function shortened(before: string, after: string): readonly [string, string] {
  const start = commonLength(before, after);
  const end = commonEnd(before, after, start);
  const from = Math.max(0, start - max.context);
  const upTo = (text: string) => Math.min(text.length, text.length - end + max.context);
  return [excerpt(before, from, upTo(before)), excerpt(after, from, upTo(after))];
}

const asText = (value: StoredValue): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function changeOf(property: string, before: StoredValue, after: StoredValue): PropertyChange {
  const [from, to] = [withoutDigests(before), withoutDigests(after)];
  const [one, other] = [asText(from), asText(to)];
  if (Math.max(one.length, other.length) <= max.length) return { property, before: from, after: to };
  const [shortBefore, shortAfter] = shortened(one, other);
  return {
    property,
    before: from === null ? null : shortBefore,
    after: to === null ? null : shortAfter,
  };
}

const orNull = (value: StoredValue | undefined): StoredValue =>
  isUnset(value) ? null : (value as StoredValue);

/**
 * Describes how a write changes the properties and facets of a document, for its log entry. Properties that every write
 * sets are omitted. Long values are shortened to the place where they differ, so that entries stay small.
 * @returns the changes under `changes`; if there are too many, the number of omitted ones under `omittedChanges`
 */
export function changesIn(
  before: Pick<DocumentRow, 'properties' | 'facets'>,
  after: Pick<DocumentRow, 'properties' | 'facets'>,
): Readonly<Record<string, unknown>> {
  const names = new Set([...Object.keys(before.properties), ...Object.keys(after.properties)]);
  const changes: PropertyChange[] = [];
  let omitted = 0;
  for (const name of names) {
    const [from, to] = [orNull(before.properties[name]), orNull(after.properties[name])];
    if (from === to || alwaysWritten.has(name) || isDeepStrictEqual(from, to)) continue;
    if (changes.length < max.properties) changes.push(changeOf(name, from, to));
    else omitted += 1;
  }
  if (!isDeepStrictEqual(before.facets, after.facets))
    changes.push({ property: 'ecm:mixinType', before: [...before.facets], after: [...after.facets] });
  if (changes.length === 0) return {};
  return { changes, ...(omitted > 0 && { omittedChanges: omitted }) };
}
