import { v7 as uuid } from 'uuid';
import { Conflict, Invalid } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { defaults } from '../model/defaults.ts';
import { lifeCycle } from '../model/life-cycle.ts';
import type { DocumentType } from '../model/model.ts';
import { childPath, documentName, longestPath, namesLike } from '../model/names.ts';
import type { StoredProperties } from '../model/stored.ts';
import type { Increment } from '../model/versioning.ts';
import type { Scope } from '../scope.ts';
import type { Event } from './audit.ts';
import { isTracked, requireMayWrite, whenCreated } from './dublin-core.ts';
import { type DocumentReference, lockDocument } from './lock-document.ts';
import { placed } from './placed.ts';
import { checkProperties, readProperties, withoutUnset } from './properties.ts';
import {
  automaticIncrement,
  checkedIn,
  checkInEvent,
  insertVersion,
  requireVersionable,
} from './versions.ts';
import { insertBlobs, insertDocument } from './write-document.ts';

export interface NewDocument {
  readonly name: string;
  readonly type: string;
  /** By xpath, as JSON. */
  readonly properties?: Record<string, unknown> | null | undefined;
  /** Whether a version is made of it, and answered (§11). */
  readonly versioning?: Increment | undefined;
}

/** What lists are sorted by; cut, since an index cannot hold it at any length. */
export const sortTitle = (name: string, properties: StoredProperties): string =>
  [...String(properties['dc:title'] ?? name)].slice(0, 255).join('');

/** A row below a parent, governed by the same ACEs, with all that follows from its name, type and properties. */
export function newRow(
  parent: Pick<DocumentRow, 'repository' | 'id' | 'path' | 'ancestorIds' | 'aclId' | 'isTrashed'>,
  { name, type, properties }: { name: string; type: string; properties: StoredProperties },
): DocumentRow {
  return {
    repository: parent.repository,
    id: uuid(),
    parentId: parent.id,
    ancestorIds: [...parent.ancestorIds, parent.id],
    name,
    path: childPath(parent.path, name),
    type,
    facets: [],
    title: sortTitle(name, properties),
    state: lifeCycle.initial,
    majorVersion: 0,
    minorVersion: 0,
    isCheckedOut: true,
    isVersion: false,
    isProxy: false,
    isTrashed: parent.isTrashed,
    liveId: null,
    targetId: null,
    baseVersionId: null,
    isLatestVersion: false,
    isLatestMajorVersion: false,
    versionCreated: null,
    versionComment: null,
    lockOwner: null,
    lockCreated: null,
    position: null,
    systemToken: 0,
    userToken: 0,
    aclId: parent.aclId,
    properties,
  };
}

/**
 * Inserts a row, under another name while its own is taken.
 * @param eventsOf what has happened then, to the document of that name.
 * @throws Invalid when its path would be too long; Conflict when all names like its own are taken.
 */
export async function insertNamed(
  scope: Scope,
  row: DocumentRow,
  eventsOf?: (row: DocumentRow) => readonly Event[],
): Promise<DocumentRow> {
  const parentPath = row.path.slice(0, row.path.lastIndexOf('/')) || '/';
  for (const name of namesLike(row.name)) {
    const named = { ...row, name, path: childPath(parentPath, name), title: sortTitle(name, row.properties) };
    if (Buffer.byteLength(named.path) > longestPath) {
      throw new Invalid(`the path would be longer than ${longestPath} bytes`);
    }
    if (await insertDocument(scope, named, eventsOf?.(named))) return named;
  }
  throw new Conflict(`"${row.name}" and names like it are taken`);
}

/** @throws Invalid when nobody contributed the type. */
function typeOf({ model }: Scope, name: string): DocumentType {
  const type = model.types.get(name);
  if (!type) throw new Invalid(`Type: ${name} does not exist`);
  return type;
}

/**
 * Creates a document below a parent; when its name is taken, under that name followed by milliseconds.
 * @returns the document, or the version that was asked for.
 * @throws NotFound without the parent, Forbidden, Invalid, Unprocessable
 */
export async function createDocument(
  scope: Scope,
  parentReference: DocumentReference,
  document: NewDocument,
): Promise<DocumentRow> {
  const type = typeOf(scope, document.type);
  const { versioning = 'NONE' } = document;
  if (versioning !== 'NONE') requireVersionable(scope, { type: type.name, facets: [] });
  const name = documentName(document.name);
  // Held so that the path above, and the ACEs that count there, stay what they are until this row is there.
  const parent = await lockDocument(scope, parentReference, { hold: 'SHARE', needs: 'AddChildren' });
  const read = await readProperties(scope, type.schemas, document.properties ?? {});
  const given = withoutUnset(placed(type.schemas, {}, { given: read }));
  requireMayWrite(scope.user, given);
  const now = new Date().toISOString();
  const properties = {
    ...defaults(type.schemas),
    ...(isTracked(type.schemas, type.facets) ? whenCreated(scope.user, now, given) : given),
  };
  await checkProperties(scope, type.schemas, properties);

  const made = newRow(parent, { name, type: type.name, properties });
  const increment = versioning === 'NONE' ? automaticIncrement(scope, 'after', made) : versioning;
  const checked = increment === 'NONE' ? made : checkedIn(made, increment);
  const row = await insertNamed(scope, checked, (document) => [
    { eventId: 'documentCreated', document },
    ...(increment === 'NONE' ? [] : [checkInEvent(scope, document)]),
  ]);
  await insertBlobs(scope.db, row, type.schemas);
  if (increment === 'NONE') return row;
  const version = await insertVersion(scope, row);
  return versioning === 'NONE' ? row : version;
}
