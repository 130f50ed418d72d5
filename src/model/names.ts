import { Invalid } from '../errors.ts';

/** Longest document name, in bytes of UTF-8. */
export const longestName = 255;

/** Longest path, in bytes of UTF-8. */
export const longestPath = 8192;

/** The longest beginning of a text that fits into so many bytes of UTF-8, cut between characters. */
export function cutBytes(text: string, bytes: number): string {
  const encoded = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, encoded.read);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters a name may not have
const control = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * A document's name as it is stored: blanks around it trimmed, slashes made dashes, cut to 255 bytes.
 * @throws Invalid when nothing usable remains.
 */
export function documentName(given: string): string {
  if (control.test(given)) throw new Invalid('name: contains a control character');
  const name = cutBytes(given.trim().replace(/[/\\]/g, '-'), longestName).trim();
  if (name === '') throw new Invalid('type or name property is missing: name is blank');
  if (name === '.' || name === '..') throw new Invalid(`name: "${name}" cannot be a path segment`);
  return name;
}

/** The name of a document whose own is taken: followed by a dot and milliseconds. */
export function takenName(name: string, milliseconds: number): string {
  const suffix = `.${milliseconds}`;
  return cutBytes(name, longestName - suffix.length) + suffix;
}

/** A name, and what to call a document instead while it is taken: a hundred in all, to be tried in this order. */
export function* namesLike(name: string): Generator<string> {
  yield name;
  const now = Date.now();
  for (let more = 0; more < 99; more += 1) yield takenName(name, now + more);
}

/** What a document is called in the trash: its name and when it came there. */
export function trashedName(name: string): string {
  const suffix = `._${Date.now()}_.trashed`;
  return cutBytes(name, longestName - suffix.length) + suffix;
}

/** What a document was called before it came into the trash; its name, when it is not of that form. */
export const nameBeforeTrash = (name: string): string =>
  name.replace(/^(.+)\._\d+_\.trashed(\.\d{13})?$/su, '$1');

/** The path of a child. */
export const childPath = (parentPath: string, name: string): string =>
  parentPath === '/' ? `/${name}` : `${parentPath}/${name}`;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be a document's id; one that cannot is simply not found. */
export const isUuid = (text: string): boolean => uuid.test(text);
