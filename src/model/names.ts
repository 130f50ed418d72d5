import { Invalid } from '../errors.ts';
import { hasMoreCharacters } from './values/characters.ts';
import { isStorableText } from './values/storable.ts';

export const maxNameBytes = 255;

export const maxPathBytes = 8192;

/**
 * Returns whether a string can be the id, name or path of a row. If it cannot, callers do not query the database:
 * PostgreSQL cannot represent NUL, and merely sending it a string of 10 MB would take longer than any search.
 */
export const isPossibleKey = (text: string): boolean => text.length <= maxPathBytes && isStorableText(text);

/** The maximum number of characters in the names of ACLs, users, groups and OAuth clients. */
export const maxNameCharacters = 255;

/**
 * @param what describes the name in error messages
 * @throws Invalid if the name is longer than 255 characters
 */
export function requireShortName(what: string, name: string): void {
  if (hasMoreCharacters(name, maxNameCharacters))
    throw new Invalid(`${what} must have at most ${maxNameCharacters} characters`);
}

/** Truncates a string to the given number of UTF-8 bytes, without splitting a character. */
export function truncateBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text; // A UTF-16 code unit has at most three bytes.
  const encoded = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, encoded.read);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain them
const control = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Normalizes the name of a document: removes leading and trailing blanks, replaces slashes with dashes, and truncates
 * it to 255 bytes.
 * @throws Invalid if the name contains control characters, or the result cannot be a path segment
 */
export function documentName(input: string): string {
  if (control.test(input)) throw new Invalid('name must not contain control characters');
  const name = truncateBytes(input.trim(), maxNameBytes).replace(/[/\\]/g, '-').trim();
  if (name === '') throw new Invalid('"name" is blank.');
  if (name === '.' || name === '..') throw new Invalid(`name: "${name}" cannot be a path segment`);
  return name;
}

/** Appends a dot and a number of milliseconds to a name. The name is truncated if necessary. */
export function suffixedName(name: string, milliseconds: number): string {
  const suffix = `.${milliseconds}`;
  return truncateBytes(name, maxNameBytes - suffix.length) + suffix;
}

/** Yields the name, followed by 99 alternatives. Callers try them in this order until one is available. */
export function* nameCandidates(name: string): Generator<string> {
  yield name;
  const now = Date.now();
  for (let more = 0; more < 99; more += 1) yield suffixedName(name, now + more);
}

/** Returns the name of a document in the trash: its previous name with a suffix that contains the current time. */
export function trashedName(name: string): string {
  const suffix = `._${Date.now()}_.trashed`;
  return truncateBytes(name, maxNameBytes - suffix.length) + suffix;
}

/** Restores a name that was changed by `trashedName`. Other names are returned unchanged. */
export const untrashedName = (name: string): string =>
  name.replace(/^(.+)\._\d+_\.trashed(\.\d{13})?$/su, '$1');

export const childPath = (parentPath: string, name: string): string =>
  parentPath === '/' ? `/${name}` : `${parentPath}/${name}`;

/**
 * The maximum length of names that are normalized, in UTF-16 code units. All names that can be stored are shorter. The
 * time to normalize a string grows with the square of the number of consecutive combining marks: 10,000 marks take 100
 * ms, and 100,000 take ten seconds.
 */
const maxNormalized = 4_000;

/**
 * Normalizes a name, so that names that look the same become equal. Text longer than `maxNormalized` cannot be a name
 * and is returned unchanged; the caller checks the length.
 */
export const normalizedName = (text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string =>
  text.length > maxNormalized ? text : text.normalize(form);

/**
 * Normalizes the name of a user, group or directory entry: converts it to NFC and removes leading and trailing blanks,
 * so that names that look the same become equal.
 * @param what describes the name in error messages
 * @throws Invalid if it contains control characters
 */
export function visibleName(input: string, what: string): string {
  if (control.test(input)) throw new Invalid(`${what} must not contain control characters`);
  return normalizedName(input).trim();
}

/**
 * Returns the case-folded form of a user's or group's id, which is the same for ids that differ only in case.
 * Converting to lower case and then to upper case applies Unicode's full case mapping in every locale. It makes `ß`,
 * `ẞ` and `ss` equal, and also the two forms of the small sigma, which would remain different in lower case.
 */
export const foldedId = (id: string): string =>
  normalizedName(normalizedName(id).toLowerCase().toUpperCase());

/**
 * Returns an id or name from a request body; undefined if it is not a string or is blank, because web forms send "" for
 * an empty field.
 */
export const idOrNone = (input: unknown): string | undefined =>
  typeof input === 'string' && input.trim() !== '' ? input : undefined;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuid.test(text);

const maxTitle = 255;

/**
 * Returns the key by which lists are sorted by title. It is truncated, because an index entry can have at most about
 * 2,700 bytes.
 */
export function sortTitle(name: string, properties: Readonly<Record<string, unknown>>): string {
  const title = String(properties['dc:title'] ?? name);
  if (title.length <= maxTitle) return title;
  const start = title.slice(0, 2 * maxTitle); // a character consists of one or two UTF-16 code units
  return [...start].slice(0, maxTitle).join('');
}
