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
import { idOrNone, visibleName } from '../../model/names.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { requireDirectoryEdit } from '../../security/directories.ts';
import { checkPropertySets, withoutUnset } from '../documents/properties.ts';
import { writerOf } from './index.ts';

interface EntryJsonBody {
  readonly directoryName?: string | null | undefined;
  /** Where the properties have one too, both must be the same; a change must have the addressed entry's. */
  readonly id?: string | null | undefined;
  /** By field, as JSON; fields that are absent from a change stay, null clears. */
  readonly properties: EntryJson;
}

/** The ids that an address may stand for (§4.5): the exact one, then those in NFC and without a trailing slash. */
export const candidateIds = (id: string): string[] => [
  ...new Set([id, id.normalize('NFC'), ...(id.endsWith('/') ? [id.slice(0, -1)] : [])]),
];

/** @throws NotFound, Invalid, Forbidden */
export function editableDirectory(scope: Scope, name: string): Directory {
  const directory = scope.services.model.directories.get(name);
  if (directory) requireDirectoryEdit(scope.user, directory);
  return servedDirectory(scope.services.model, name);
}

/** @throws BadReference, Invalid when the body names another directory than the address. */
function requireSameDirectory(
  { services: { model } }: Scope,
  { name }: Directory,
  { directoryName }: EntryJsonBody,
): void {
  const given = idOrNone(directoryName) ?? name;
  if (given === name) return;
  if (!model.directories.has(given))
    throw new BadReference(`directoryName: ${unknownDirectory(model, given)}`);
  throw new Invalid(`directoryName: the body is of ${given}, the addressed directory is ${name}`);
}

/** @throws Invalid when the id of a new entry is missing, or another one than in the properties. */
function newIdOf(directory: Directory, { id, properties }: EntryJsonBody): string {
  const { idField } = directory;
  const named = idOrNone(id);
  const inside = readEntryId(directory, { [idField]: idInBody(directory, properties) ?? named });
  if (named !== undefined && visibleName(named, 'id') !== inside)
    throw new Invalid(`id: "${id}" is not the properties.${idField} "${inside}"`);
  return inside;
}

interface Draft {
  /** The id of a new entry, to which later entries of the list may refer. */
  readonly makes?: string | undefined;
  /** Absent for a new entry. */
  readonly stored?: StoredProperties;
  readonly properties: StoredProperties;
  readonly names: readonly string[];
}

/** Locks parents, so that they are not deleted before their children are inserted. */
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
 * Climbs from entries that were written in this transaction. An entry that is its own ancestor could neither be shown in
 * the hierarchy nor be deleted.
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

/** @throws Unprocessable when fields violate a constraint, or refer to an entry that does not exist. */
async function checkFields(scope: Scope, directory: Directory, drafts: readonly Draft[]): Promise<void> {
  await lockParents(scope, directory, drafts);
  await checkPropertySets(
    scope,
    drafts.map(({ makes, stored, properties, names }) => ({
      schemas: [directory.schema],
      stored,
      properties: makes === undefined ? properties : { ...properties, [directory.idField]: makes },
      // An empty parent means none.
      xpaths: names.filter((name) => name !== 'parent' || properties.parent !== ''),
      makes: makes === undefined ? undefined : { directory: directory.name, id: makes },
    })),
  );
}

/**
 * Adds entries to a directory (§4.5), all or none. One may refer to an earlier one of the list.
 * @throws NotFound, Forbidden, Invalid, Unprocessable; BadReference for a missing directory or a taken id.
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
    const given = withoutUnset(readEntryFields(directory, entry.properties));
    const id = generatesIds ? undefined : newIdOf(directory, entry);
    return { id, makes: id, properties: { ...defaultProperties([schema]), ...given }, names };
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

/** Locks entries. @returns them in the order of the ids given. @throws NotFound */
async function lockEntries(
  scope: Scope,
  { name }: Directory,
  ids: readonly string[],
): Promise<StoredEntry[]> {
  const wanted = [...new Set(ids.flatMap(candidateIds))];
  const locked = await writerOf(name).lock(
    scope,
    wanted.map((id): EntryKey => ({ directory: name, id })),
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

/** The ids in a body, each of which must be that of the entry. @throws Invalid */
const namedIn = (directory: Directory, own: StoredEntry, { id, properties }: EntryJsonBody): string[] => [
  idOrNone(id) ?? own.id,
  idInBody(directory, properties) ?? own.id,
];

/** @throws BadReference, Invalid when a body names another entry than the address. */
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
  if (missing !== undefined) throw new BadReference(`there is no entry ${missing} in ${directory.name}`);
  throw new Invalid(`id: the body is of the entry ${others.join(', ')}, the addressed entry is ${own.id}`);
}

/**
 * Changes fields of entries (§4.5), all or none; their ids stay. An entry may be changed several times.
 * @param changes bodies, and the id that addresses each.
 * @returns the entries, in the order of the changes.
 * @throws NotFound, Forbidden, Invalid, Unprocessable; BadReference when a body names a missing directory or
 *   entry.
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
    const given = readEntryFields(directory, change.properties);
    const properties = withoutUnset({ ...before, ...given });
    const names = Object.keys(given).filter((name) => !isDeepStrictEqual(properties[name], before[name]));
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
 * Deletes entries (§4.5), all or none.
 * @returns their ids.
 * @throws NotFound, Forbidden, Invalid; Conflict when remaining entries have one of them as parent.
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
