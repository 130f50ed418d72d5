import { isDeepStrictEqual } from 'node:util';
import { findEntries, type ServedDirectory, servedDirectory } from '../directories/index.ts';
import type { Entry, EntryKey } from '../directories/source.ts';
import { BadReference, Invalid, NotFound } from '../errors.ts';
import { defaults } from '../model/defaults.ts';
import { type EntryJson, readEntryFields, readEntryId } from '../model/entry-fields.ts';
import type { Directory } from '../model/model.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import { requireDirectoryEdit } from '../security/directories.ts';
import { checkProperties, withoutUnset } from './properties.ts';

/** What a body says of an entry to create. */
export interface NewEntry {
  /** When given, must be the addressed directory. */
  readonly directoryName?: string | null | undefined;
  /** By field, as JSON; the id among them, unless the server makes it. */
  readonly properties: EntryJson;
}

/** What a body says of an entry to change; fields that are absent stay, null clears. */
export interface EntryChange extends NewEntry {
  /** Must be the addressed entry's. */
  readonly id: string;
}

/** The ids that an address may mean: as it stands, else without its trailing slash (§4.5). */
export const idsOf = (id: string): string[] => (id.endsWith('/') ? [id, id.slice(0, -1)] : [id]);

/** A directory that the caller may edit. @throws NotFound, Invalid, Forbidden */
export function editableDirectory(scope: Scope, name: string): ServedDirectory {
  const directory = scope.model.directories.get(name);
  if (directory) requireDirectoryEdit(scope.user, directory);
  return servedDirectory(scope, name);
}

/** @throws BadReference, Invalid when the body is of another directory than the address. */
function requireSameDirectory({ model }: Scope, { name }: Directory, given: string | null | undefined): void {
  if (typeof given !== 'string' || given === name) return;
  if (!model.directories.has(given)) throw new BadReference(`directoryName: there is no directory ${given}`);
  throw new Invalid(`directoryName: the body is of ${given}, the addressed directory is ${name}`);
}

/** Keeps the parent from being deleted before its child is there. */
async function holdParent(
  scope: Scope,
  { parent }: Directory,
  { parent: id }: StoredProperties,
): Promise<void> {
  if (parent === undefined || typeof id !== 'string' || id === '') return;
  await servedDirectory(scope, parent).source.find(scope, [{ directory: parent, id }], 'KEY SHARE');
}

/** @throws Unprocessable when some of the fields break a constraint, or name an entry that there is not. */
async function checkFields(
  scope: Scope,
  directory: Directory,
  { properties, names }: { properties: StoredProperties; names: readonly string[] },
): Promise<void> {
  // An empty parent is none.
  const checked = names.filter((name) => name !== 'parent' || properties.parent !== '');
  if (names.includes('parent')) await holdParent(scope, directory, properties);
  await checkProperties(scope, [directory.schema], properties, checked);
}

/**
 * Adds an entry to a directory (§4.5).
 * @throws NotFound without the directory, Forbidden, Invalid, Unprocessable; BadReference when the body names a
 *   directory that is missing, or an id that is taken.
 */
export async function createEntry(scope: Scope, directoryName: string, entry: NewEntry): Promise<Entry> {
  const { directory, source } = editableDirectory(scope, directoryName);
  requireSameDirectory(scope, directory, entry.directoryName);
  const given = withoutUnset(readEntryFields(directory, entry.properties));
  const id = directory.generatesIds ? undefined : readEntryId(directory, entry.properties);
  const properties = { ...defaults([directory.schema]), ...given };
  const names = [...directory.schema.properties.keys()].filter((name) => name !== directory.idField);
  await checkFields(scope, directory, { properties, names });
  const created = await source.create(scope, directory, { id, properties });
  if (!created) throw new BadReference(`Entry with id ${id} already exists in directory ${directory.name}`);
  return created;
}

/** Reads an entry and holds it until the transaction ends. @throws NotFound */
async function holdEntry(scope: Scope, { directory, source }: ServedDirectory, id: string): Promise<Entry> {
  const ids = idsOf(id);
  const keys = ids.map((each): EntryKey => ({ directory: directory.name, id: each }));
  const held = await source.find(scope, keys, 'UPDATE');
  const entry = ids.map((each) => held.find((found) => found.id === each)).find(Boolean);
  if (!entry) throw new NotFound('Entry not found');
  return entry;
}

/** @throws BadReference, Invalid when the body is of another entry than the address. */
async function requireSameEntry(scope: Scope, directory: Directory, own: EntryKey, change: EntryChange) {
  const inside = change.properties[directory.idField] ?? own.id;
  if (typeof inside !== 'string' && typeof inside !== 'number') {
    throw new Invalid(`properties.${directory.idField}: is no id`);
  }
  const named = [change.id, String(inside)];
  const others = named.filter((id) => id !== own.id);
  if (others.length === 0) return;
  const keys = others.map((id): EntryKey => ({ directory: directory.name, id }));
  const known = new Set((await findEntries(scope, keys)).map(({ id }) => id));
  const missing = others.find((id) => !known.has(id));
  if (missing !== undefined) throw new BadReference(`there is no entry ${missing} in ${directory.name}`);
  throw new Invalid(`id: the body is of the entry ${others.join(', ')}, the addressed entry is ${own.id}`);
}

/**
 * Changes the fields given of an entry (§4.5); its id stays.
 * @throws NotFound without directory or entry, Forbidden, Invalid, Unprocessable; BadReference when the body names a
 *   directory or an entry that is missing.
 */
export async function updateEntry(scope: Scope, key: EntryKey, change: EntryChange): Promise<Entry> {
  const served = editableDirectory(scope, key.directory);
  const { directory, source } = served;
  const before = await holdEntry(scope, served, key.id);
  requireSameDirectory(scope, directory, change.directoryName);
  await requireSameEntry(scope, directory, before, change);
  const given = readEntryFields(directory, change.properties);
  const properties = withoutUnset({ ...before.properties, ...given });
  const names = Object.keys(given).filter(
    (name) => !isDeepStrictEqual(properties[name], before.properties[name]),
  );
  if (names.length === 0) return before;
  await checkFields(scope, directory, { properties, names });
  return source.update(scope, directory, { ...before, properties });
}

/**
 * Takes an entry out of its directory (§4.5).
 * @returns its id.
 * @throws NotFound without directory or entry, Forbidden, Invalid; Conflict when other entries have it for a parent.
 */
export async function deleteEntry(scope: Scope, key: EntryKey): Promise<string> {
  const served = editableDirectory(scope, key.directory);
  const entry = await holdEntry(scope, served, key.id);
  await served.source.delete(scope, served.directory, entry);
  return entry.id;
}
