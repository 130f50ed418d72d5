import { Invalid } from '../errors.ts';
import { hasMoreCharacters } from './values/characters.ts';

export const maxNameBytes = 255;

export const maxPathBytes = 8192;

/** Characters of the names of ACLs, users, groups and OAuth clients. */
export const maxNameCharacters = 255;

/** @throws Invalid */
export function requireShortName(what: string, name: string): void {
  if (hasMoreCharacters(name, maxNameCharacters))
    throw new Invalid(`${what}: has more than ${maxNameCharacters} characters`);
}

/** Truncates a text to a number of bytes in UTF-8, between characters. */
export function truncateBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text; // a character of UTF-16 takes three bytes at most
  const encoded = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, encoded.read);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain them
const control = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Normalizes a document's name: blanks around it are trimmed, slashes become dashes, and it is truncated.
 * @throws Invalid on control characters, and when the result is no path segment.
 */
export function documentName(given: string): string {
  if (control.test(given)) throw new Invalid('name: contains a control character');
  const name = truncateBytes(given.trim(), maxNameBytes).replace(/[/\\]/g, '-').trim();
  if (name === '') throw new Invalid('"name" is blank.');
  if (name === '.' || name === '..') throw new Invalid(`name: "${name}" cannot be a path segment`);
  return name;
}

/** Makes a name unique by a dot and milliseconds. */
export function suffixedName(name: string, milliseconds: number): string {
  const suffix = `.${milliseconds}`;
  return truncateBytes(name, maxNameBytes - suffix.length) + suffix;
}

/** The name and 99 alternatives for the case that it is taken, to be tried in this order. */
export function* nameCandidates(name: string): Generator<string> {
  yield name;
  const now = Date.now();
  for (let more = 0; more < 99; more += 1) yield suffixedName(name, now + more);
}

/** The name of a document in the trash, with the current time. */
export function trashedName(name: string): string {
  const suffix = `._${Date.now()}_.trashed`;
  return truncateBytes(name, maxNameBytes - suffix.length) + suffix;
}

/** Reverses `trashedName`; other names stay. */
export const untrashedName = (name: string): string =>
  name.replace(/^(.+)\._\d+_\.trashed(\.\d{13})?$/su, '$1');

export const childPath = (parentPath: string, name: string): string =>
  parentPath === '/' ? `/${name}` : `${parentPath}/${name}`;

/**
 * A name that people tell apart by its look: of a user, a group or an entry. Canonically equivalent spellings are one
 * name (NFC), and blanks around it do not count.
 * @param what names the value in the message.
 * @throws Invalid for control characters.
 */
export function visibleName(given: string, what: string): string {
  if (control.test(given)) throw new Invalid(`${what}: contains a control character`);
  return given.normalize('NFC').trim();
}

/**
 * What the ids of two users or groups have in common when they differ only by case. Lower and then upper case is the full
 * case mapping of Unicode, the same in every locale: `ß`, `ẞ` and `ss` agree, as do the two small sigmas, which lower
 * case alone keeps apart.
 */
export const foldedId = (id: string): string =>
  id.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');

/** An id, or another name, in a body: a blank one counts as none, because web forms send it. */
export const idOrNone = (given: unknown): string | undefined =>
  typeof given === 'string' && given.trim() !== '' ? given : undefined;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuid.test(text);
