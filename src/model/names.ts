import { Invalid } from '../errors.ts';
import { hasMoreCharacters } from './values/characters.ts';
import { isStorableText } from './values/storable.ts';

export const maxNameBytes = 255;

export const maxPathBytes = 8192;

/**
 * Whether a row can have a text as its id, name or path. Other texts do not exist, without a statement: PostgreSQL cannot
 * represent NUL, and reading 10 MB in vain would cost it more than any search.
 */
export const isPossibleKey = (text: string): boolean => text.length <= maxPathBytes && isStorableText(text);

/** The maximum number of characters in the names of ACLs, users, groups and OAuth clients. */
export const maxNameCharacters = 255;

/** @throws Invalid if the name is longer than 255 characters. @param what names the value in the message. */
export function requireShortName(what: string, name: string): void {
  if (hasMoreCharacters(name, maxNameCharacters))
    throw new Invalid(`${what} has more than ${maxNameCharacters} characters`);
}

/** Truncates a text to a number of bytes in UTF-8, without splitting a character. */
export function truncateBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text; // a UTF-16 unit takes three bytes at most
  const encoded = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, encoded.read);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain them
const control = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Normalizes the name of a document: trims surrounding blanks, replaces slashes by dashes and truncates to 255 bytes.
 * @throws Invalid for control characters, and if the result cannot be a path segment.
 */
export function documentName(input: string): string {
  if (control.test(input)) throw new Invalid('name: contains a control character');
  const name = truncateBytes(input.trim(), maxNameBytes).replace(/[/\\]/g, '-').trim();
  if (name === '') throw new Invalid('"name" is blank.');
  if (name === '.' || name === '..') throw new Invalid(`name: "${name}" cannot be a path segment`);
  return name;
}

/** Appends a dot and a number of milliseconds to a name, truncating it if necessary. */
export function suffixedName(name: string, milliseconds: number): string {
  const suffix = `.${milliseconds}`;
  return truncateBytes(name, maxNameBytes - suffix.length) + suffix;
}

/** Yields the name and then 99 alternatives, to be tried in this order until one is not taken. */
export function* nameCandidates(name: string): Generator<string> {
  yield name;
  const now = Date.now();
  for (let more = 0; more < 99; more += 1) yield suffixedName(name, now + more);
}

/** The name of a document when it is moved to the trash: the old name with a suffix that includes the current time. */
export function trashedName(name: string): string {
  const suffix = `._${Date.now()}_.trashed`;
  return truncateBytes(name, maxNameBytes - suffix.length) + suffix;
}

/** Reverses `trashedName`; other names are returned unchanged. */
export const untrashedName = (name: string): string =>
  name.replace(/^(.+)\._\d+_\.trashed(\.\d{13})?$/su, '$1');

export const childPath = (parentPath: string, name: string): string =>
  parentPath === '/' ? `/${name}` : `${parentPath}/${name}`;

/**
 * Normalizes the name of a user, group or directory entry to NFC without surrounding blanks, so that names that look the
 * same are the same.
 * @param what names the value in the message.
 * @throws Invalid for control characters.
 */
export function visibleName(input: string, what: string): string {
  if (control.test(input)) throw new Invalid(`${what}: contains a control character`);
  return input.normalize('NFC').trim();
}

/**
 * The case-folded form of the id of a user or group: ids that differ only by case have the same form. Lower case followed
 * by upper case applies the full case mapping of Unicode in every locale: `ß`, `ẞ` and `ss` agree, as do the two small
 * sigmas, which lower case on its own keeps apart.
 */
export const foldedId = (id: string): string =>
  id.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');

/**
 * Returns an id or name in a body, or undefined if it is not a string or blank: web forms send "" for an unset field.
 */
export const idOrNone = (input: unknown): string | undefined =>
  typeof input === 'string' && input.trim() !== '' ? input : undefined;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuid.test(text);
