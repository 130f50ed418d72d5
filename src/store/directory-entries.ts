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
import { checkEach, withoutUnset } from './properties.ts';

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

/** An entry as it is to be. */
interface Draft {
  /** Of one that is to be made: others of the list may name it from then on. */
  readonly makes?: string | undefined;
  readonly properties: StoredProperties;
  /** The fields that are new, or others than before. */
  readonly names: readonly string[];
}

/** Keeps parents from being deleted before their children are there. */
async function holdParents(scope: Scope, { parent }: Directory, drafts: readonly Draft[]): Promise<void> {
  if (parent === undefined) return;
  const named = drafts.filter(({ names }) => names.includes('parent'));
  const ids = new Set(named.map(({ properties }) => properties.parent));
  const keys = [...ids]
    .filter((id) => typeof id === 'string' && id !== '')
    .map((id) => ({ directory: parent, id: id as string }));
  if (keys.length > 0) await servedDirectory(scope, parent).source.find(scope, keys, 'KEY SHARE');
}

/** @throws Unprocessable when some of the fields break a constraint, or name an entry that there is not. */
async function checkFields(scope: Scope, directory: Directory, drafts: readonly Draft[]): Promise<void> {
  await holdParents(scope, directory, drafts);
  await checkEach(
    scope,
    drafts.map(({ makes, properties, names }) => ({
      schemas: [directory.schema],
      properties,
      // An empty parent is none.
      xpaths: names.filter((name) => name !== 'parent' || properties.parent !== ''),
      makes: makes === undefined ? undefined : { directory: directory.name, id: makes },
    })),
  );
}

/**
 * Adds entries to a directory (§4.5), all or none. One may name another one that stands before it.
 * @throws NotFound without the directory, Forbidden, Invalid, Unprocessable; BadReference when a body names a
 *   directory that is missing, or an id that is taken.
 */
export async function createEntries(
  scope: Scope,
  directoryName: string,
  entries: readonly NewEntry[],
): Promise<Entry[]> {
  const { directory, source } = editableDirectory(scope, directoryName);
  const names = [...directory.schema.properties.keys()].filter((name) => name !== directory.idField);
  const drafts = entries.map((entry) => {
    requireSameDirectory(scope, directory, entry.directoryName);
    const given = withoutUnset(readEntryFields(directory, entry.properties));
    const id = directory.generatesIds ? undefined : readEntryId(directory, entry.properties);
    return { id, makes: id, properties: { ...defaults([directory.schema]), ...given }, names };
  });
  if (drafts.length === 0) return [];
  await checkFields(scope, directory, drafts);
  const created = await source.create(scope, directory, drafts);
  if (created.length < drafts.length) {
    const taken = drafts.find(({ id }, index) => id !== created[index]?.id);
    throw new BadReference(`Entry with id ${taken?.id} already exists in directory ${directory.name}`);
  }
  return created;
}

/** Reads entries, in the order of their ids, and holds them until the transaction ends. @throws NotFound */
async function holdEntries(
  scope: Scope,
  { directory, source }: ServedDirectory,
  ids: readonly string[],
): Promise<Entry[]> {
  const wanted = [...new Set(ids.flatMap(idsOf))];
  const held = await source.find(
    scope,
    wanted.map((id): EntryKey => ({ directory: directory.name, id })),
    'UPDATE',
  );
  const byId = new Map(held.map((entry) => [entry.id, entry]));
  return ids.map((id) => {
    const known = idsOf(id).find((each) => byId.has(each));
    const entry = known === undefined ? undefined : byId.get(known);
    if (!entry) throw new NotFound('Entry not found');
    return entry;
  });
}

/** The ids that a body says, of which its entry must have each. @throws Invalid on what is none */
function namedIn({ idField }: Directory, own: Entry, { id, properties }: EntryChange): string[] {
  const inside = properties[idField] ?? own.id;
  if (typeof inside !== 'string' && typeof inside !== 'number') {
    throw new Invalid(`properties.${idField}: is no id`);
  }
  return [id, String(inside)];
}

/** @throws BadReference, Invalid when a body is of another entry than the address. */
async function requireSameEntries(
  scope: Scope,
  directory: Directory,
  changes: ReadonlyArray<{ own: Entry; change: EntryChange }>,
): Promise<void> {
  const wrong = changes.flatMap(({ own, change }) => {
    const others = namedIn(directory, own, change).filter((id) => id !== own.id);
    return others.length > 0 ? [{ own, others }] : [];
  });
  const [first] = wrong;
  if (!first) return;
  const { own, others } = first;
  const keys = others.map((id): EntryKey => ({ directory: directory.name, id }));
  const known = new Set((await findEntries(scope, keys)).map(({ id }) => id));
  const missing = others.find((id) => !known.has(id));
  if (missing !== undefined) throw new BadReference(`there is no entry ${missing} in ${directory.name}`);
  throw new Invalid(`id: the body is of the entry ${others.join(', ')}, the addressed entry is ${own.id}`);
}

/**
 * Changes the fields given of entries (§4.5), all or none; their ids stay. Who is named twice is changed twice.
 * @param changes what the bodies say, and the id that each is addressed by.
 * @returns the entries, in the order of the changes.
 * @throws NotFound without directory or entry, Forbidden, Invalid, Unprocessable; BadReference when a body names a
 *   directory or an entry that is missing.
 */
export async function updateEntries(
  scope: Scope,
  directoryName: string,
  changes: ReadonlyArray<{ id: string; change: EntryChange }>,
): Promise<Entry[]> {
  const served = editableDirectory(scope, directoryName);
  const { directory, source } = served;
  const ids = changes.map(({ id }) => id);
  const held = await holdEntries(scope, served, ids);
  const pairs = changes.map(({ change }, index) => ({ own: held[index] as Entry, change }));
  for (const { change } of pairs) requireSameDirectory(scope, directory, change.directoryName);
  await requireSameEntries(scope, directory, pairs);
  const changed = new Map<string, Entry>();
  const drafts = pairs.map(({ own, change }): Draft => {
    const before = (changed.get(own.id) ?? own).properties;
    const given = readEntryFields(directory, change.properties);
    const properties = withoutUnset({ ...before, ...given });
    const names = Object.keys(given).filter((name) => !isDeepStrictEqual(properties[name], before[name]));
    if (names.length > 0) changed.set(own.id, { ...own, properties });
    return { properties, names };
  });
  if (changed.size === 0) return held;
  await checkFields(scope, directory, drafts);
  const updated = await source.update(scope, directory, [...changed.values()]);
  const byId = new Map(updated.map((entry) => [entry.id, entry]));
  return held.map((entry) => byId.get(entry.id) ?? entry);
}

/**
 * Takes entries out of their directory (§4.5), all or none.
 * @returns their ids.
 * @throws NotFound without directory or entry, Forbidden, Invalid; Conflict when entries that stay have one of them for
 *   a parent.
 */
export async function deleteEntries(
  scope: Scope,
  directoryName: string,
  addressed: readonly string[],
): Promise<string[]> {
  const served = editableDirectory(scope, directoryName);
  const entries = await holdEntries(scope, served, addressed);
  const ids = entries.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new NotFound('Entry not found'); // any more, when it comes again
  if (ids.length > 0) await served.source.delete(scope, served.directory, entries);
  return ids;
}
