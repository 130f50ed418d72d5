import { isDeepStrictEqual } from 'node:util';
import { statement } from '../../db/statement.ts';
import { BadReference, Invalid, NotFound } from '../../errors.ts';
import { findEntries, servedDirectory, unknownDirectory } from '../../loaders/directories/index.ts';
import type { EntryKey, StoredEntry } from '../../loaders/directories/source.ts';
import { defaultProperties } from '../../model/defaults.ts';
import {
  type EntryJson,
  idInBody,
  readEntryFields,
  readEntryId,
} from '../../model/directories/entry-fields.ts';
import type { Directory } from '../../model/model.ts';
import { idOrNone, normalizedName, visibleName } from '../../model/names.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { requireDirectoryEdit } from '../../security/directories.ts';
import { checkPropertySets, withoutUnset } from '../documents/properties.ts';
import { writerOf } from './index.ts';

/** The body of a request that creates or changes a directory entry. */
interface EntryJsonBody {
  readonly directoryName?: string | null | undefined;
  /** The id. If the properties also contain an id, both must be equal; in a change, it must be the id of the entry. */
  readonly id?: string | null | undefined;
  /** JSON values by field. In a change, absent fields remain unchanged and null clears a field. */
  readonly properties: EntryJson;
}

/**
 * The ids to which an id in a URL can refer (§4.5): the id itself, its NFC form, and the id without a trailing slash.
 */
export const candidateIds = (id: string): string[] => [
  ...new Set([id, normalizedName(id), ...(id.endsWith('/') ? [id.slice(0, -1)] : [])]),
];

/**
 * Returns a directory that the caller is allowed to change.
 * @throws NotFound, Invalid, Forbidden
 */
export function editableDirectory(scope: Scope, name: string): Directory {
  const directory = scope.services.model.directories.get(name);
  if (directory) requireDirectoryEdit(scope.user, directory);
  return servedDirectory(scope.services.model, name);
}

/**
 * Checks the directory named in a request body.
 * @throws Invalid if it differs from the directory in the URL; BadReference if it does not exist
 */
function requireSameDirectory(
  { services: { model } }: Scope,
  { name }: Directory,
  { directoryName }: EntryJsonBody,
): void {
  const named = idOrNone(directoryName) ?? name;
  if (named === name) return;
  if (!model.directories.has(named))
    throw new BadReference(`directoryName: ${unknownDirectory(model, named)}`);
  throw new Invalid(`directoryName: The body names ${named}, but the URL refers to the directory ${name}.`);
}

/** Returns the id of a new entry. @throws Invalid if it is missing or differs from the id in the properties */
function newIdOf(directory: Directory, { id, properties }: EntryJsonBody): string {
  const { idField } = directory;
  const named = idOrNone(id);
  const inside = readEntryId(directory, { [idField]: idInBody(directory, properties) ?? named });
  if (named !== undefined && visibleName(named, 'id') !== inside)
    throw new Invalid(`id: "${id}" differs from properties.${idField} "${inside}"`);
  return inside;
}

/** An entry before it is written. */
interface Draft {
  /** The id of a new entry; later entries in the list can refer to it. */
  readonly makes?: string | undefined;
  /** The stored properties; absent for a new entry. */
  readonly stored?: StoredProperties;
  readonly properties: StoredProperties;
  /** The names of the properties to check. */
  readonly names: readonly string[];
}

/** Locks the parents of entries, so that they cannot be deleted before the entries are written. */
async function lockParents(scope: Scope, { parent }: Directory, drafts: readonly Draft[]): Promise<void> {
  if (parent === undefined) return;
  const named = drafts.filter(({ names }) => names.includes('parent'));
  const ids = new Set(named.map(({ properties }) => properties.parent));
  const keys = [...ids]
    .filter((id) => typeof id === 'string' && id !== '')
    .map((id) => ({ directory: parent, id: id as string }));
  if (keys.length > 0)
    await writerOf(servedDirectory(scope.services.model, parent).name).lock(scope, keys, 'KEY SHARE');
}

// Finds those of the entries with the directories $3 and the ids $4 that are their own ancestors. `parents` maps each
// directory to the directory of its parent entries. `above` climbs from each entry to its ancestors and remembers where
// it started; UNION drops rows that it has already seen, so the climb also ends if there is a cycle.
const ownAncestors = statement('entries-above-themselves', { id: 'text' })`
  WITH RECURSIVE parents (directory, parent) AS (SELECT * FROM unnest($1::text[], $2::text[])),
  above (start_directory, start_id, directory, id) AS (
    SELECT e.directory, e.id, p.parent, e.properties ->> 'parent'
    FROM unnest($3::text[], $4::text[]) AS s (directory, id)
    JOIN directory_entry e ON e.directory = s.directory AND e.id = s.id
    JOIN parents p ON p.directory = e.directory
    UNION
    SELECT a.start_directory, a.start_id, p.parent, e.properties ->> 'parent' FROM above a
    JOIN directory_entry e ON e.directory = a.directory AND e.id = a.id
    JOIN parents p ON p.directory = e.directory
  )
  SELECT start_id AS id FROM above WHERE directory = start_directory AND id = start_id LIMIT 1`;

/**
 * Checks that the written entries are not their own ancestors. Such an entry could neither be shown in the hierarchy
 * nor be deleted.
 * @throws Invalid
 */
async function requireNoCycles(
  { db, services: { model } }: Scope,
  entries: readonly StoredEntry[],
): Promise<void> {
  const nested = [...model.directories.values()].filter(({ parent }) => parent !== undefined);
  const [cyclic] = await db.query(ownAncestors, [
    nested.map(({ name }) => name),
    nested.map(({ parent }) => parent),
    entries.map(({ directory }) => directory),
    entries.map(({ id }) => id),
  ]);
  if (cyclic) throw new Invalid(`parent: ${cyclic.id} would be its own ancestor.`);
}

/**
 * Checks the fields of entries.
 * @throws Unprocessable if fields violate a constraint or refer to an entry that does not exist
 */
async function checkFields(scope: Scope, directory: Directory, drafts: readonly Draft[]): Promise<void> {
  await lockParents(scope, directory, drafts);
  await checkPropertySets(
    scope,
    drafts.map(({ makes, stored, properties, names }) => ({
      schemas: [directory.schema],
      stored,
      properties: makes === undefined ? properties : { ...properties, [directory.idField]: makes },
      // An empty `parent` field means that there is no parent.
      xpaths: names.filter((name) => name !== 'parent' || properties.parent !== ''),
      makes: makes === undefined ? undefined : { directory: directory.name, id: makes },
    })),
  );
}

/**
 * Adds entries to a directory, all or none of them (§4.5). An entry can refer to an earlier entry in the list.
 * @throws NotFound, Forbidden, Invalid, Unprocessable; BadReference if the directory does not exist or an id is taken
 */
export async function createEntries(
  scope: Scope,
  directoryName: string,
  entries: readonly EntryJsonBody[],
): Promise<StoredEntry[]> {
  const directory = editableDirectory(scope, directoryName);
  const { idField, generatesIds, schema } = directory;
  const names = [...schema.properties.keys()].filter((name) => name !== idField || !generatesIds);
  const drafts = entries.map((entry) => {
    requireSameDirectory(scope, directory, entry);
    const fields = withoutUnset(readEntryFields(directory, entry.properties));
    const id = generatesIds ? undefined : newIdOf(directory, entry);
    return { id, makes: id, properties: { ...defaultProperties([schema]), ...fields }, names };
  });
  if (drafts.length === 0) return [];
  await checkFields(scope, directory, drafts);
  const created = await writerOf(directory.name).create(scope, directory, drafts);
  if (created.length < drafts.length) {
    const taken = drafts.find(({ id }, index) => id !== created[index]?.id);
    throw new BadReference(`Entry with id ${taken?.id} already exists in directory ${directory.name}`);
  }
  return created;
}

/**
 * Locks entries.
 * @returns the entries in the order of the given ids
 * @throws NotFound
 */
async function lockEntries(
  scope: Scope,
  { name }: Directory,
  ids: readonly string[],
): Promise<StoredEntry[]> {
  const candidates = [...new Set(ids.flatMap(candidateIds))];
  const locked = await writerOf(name).lock(
    scope,
    candidates.map((id): EntryKey => ({ directory: name, id })),
    'UPDATE',
  );
  const byId = new Map(locked.map((entry) => [entry.id, entry]));
  return ids.map((id) => {
    const known = candidateIds(id).find((each) => byId.has(each));
    const entry = known === undefined ? undefined : byId.get(known);
    if (!entry) throw new NotFound('Entry not found');
    return entry;
  });
}

/**
 * Returns the two ids in a request body: the top-level one and the one in the properties. Both must equal the entry's
 * id.
 */
const namedIn = (directory: Directory, own: StoredEntry, { id, properties }: EntryJsonBody): string[] => [
  idOrNone(id) ?? own.id,
  idInBody(directory, properties) ?? own.id,
];

/**
 * Checks that each request body names the entry in the URL.
 * @throws Invalid if a body names another entry; BadReference if that entry does not exist
 */
async function requireSameEntries(
  scope: Scope,
  directory: Directory,
  changes: ReadonlyArray<{ own: StoredEntry; change: EntryJsonBody }>,
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
  if (missing !== undefined)
    throw new BadReference(`There is no entry ${missing} in the directory ${directory.name}.`);
  throw new Invalid(
    `id: The body has the id ${others.join(', ')}, but the URL refers to the entry ${own.id}.`,
  );
}

/**
 * Changes fields of the given entries: either all changes are applied or none (§4.5). Ids cannot be changed. The same
 * entry can be changed more than once.
 * @param changes the request bodies, along with the ids of the entries to change
 * @returns the entries, in the order of the changes
 * @throws NotFound, Forbidden, Invalid, Unprocessable; BadReference if a body names a directory or entry that does not
 * exist
 */
export async function updateEntries(
  scope: Scope,
  directoryName: string,
  changes: ReadonlyArray<{ id: string; change: EntryJsonBody }>,
): Promise<StoredEntry[]> {
  const directory = editableDirectory(scope, directoryName);
  const ids = changes.map(({ id }) => id);
  const locked = await lockEntries(scope, directory, ids);
  const pairs = changes.map(({ change }, index) => ({ own: locked[index] as StoredEntry, change }));
  for (const { change } of pairs) requireSameDirectory(scope, directory, change);
  await requireSameEntries(scope, directory, pairs);
  const changed = new Map<string, StoredEntry>();
  const drafts = pairs.map(({ own, change }): Draft => {
    const before = (changed.get(own.id) ?? own).properties;
    const fields = readEntryFields(directory, change.properties);
    const properties = withoutUnset({ ...before, ...fields });
    const names = Object.keys(fields).filter((name) => !isDeepStrictEqual(properties[name], before[name]));
    if (names.length > 0) changed.set(own.id, { ...own, properties });
    return { stored: before, properties, names };
  });
  if (changed.size === 0) return locked;
  await checkFields(scope, directory, drafts);
  const updated = await writerOf(directory.name).update(scope, directory, [...changed.values()]);
  if (drafts.some(({ names }) => names.includes('parent'))) await requireNoCycles(scope, updated);
  const byId = new Map(updated.map((entry) => [entry.id, entry]));
  return locked.map((entry) => byId.get(entry.id) ?? entry);
}

/**
 * Deletes entries, all or none of them (§4.5).
 * @returns the ids of the entries
 * @throws NotFound, Forbidden, Invalid; Conflict if one of them is the parent of an entry that would remain
 */
export async function deleteEntries(
  scope: Scope,
  directoryName: string,
  addressed: readonly string[],
): Promise<string[]> {
  const directory = editableDirectory(scope, directoryName);
  const locked = await lockEntries(scope, directory, addressed);
  const entries = new Map(locked.map((entry) => [entry.id, entry]));
  if (entries.size > 0) await writerOf(directory.name).delete(scope, directory, [...entries.values()]);
  return locked.map(({ id }) => id);
}
