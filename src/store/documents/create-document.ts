import { v7 as uuid } from 'uuid';
import { Conflict, Forbidden, Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { commentKind } from '../../model/comments/comment-tree.ts';
import { newDocumentDefaults } from '../../model/defaults.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { lifeCycle } from '../../model/life-cycle.ts';
import type { DocumentType } from '../../model/model.ts';
import { childPath, documentName, maxPathBytes, nameCandidates } from '../../model/names.ts';
import { userWorkspacesType } from '../../model/user-workspaces.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Increment } from '../../model/versioning.ts';
import { unknownName } from '../../near-names.ts';
import type { Scope, Using, ValueScope } from '../../scope.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { lockDocument } from '../row-locks/lock-document.ts';
import {
  automaticIncrement,
  checkedIn,
  checkInEvent,
  insertVersion,
  requireVersionable,
} from '../versions/versions.ts';
import { applyPropertyChanges } from './apply-property-changes.ts';
import { creationProperties, isTracked, requireNotReadOnly } from './dublin-core.ts';
import { checkProperties, readProperties, withoutUnset } from './properties.ts';
import { insertBlobs, insertDocument } from './write-document.ts';

export interface NewDocument {
  readonly name: string;
  readonly type: string;
  readonly properties?: Record<string, unknown> | null | undefined;
  /** Checks the new document in; the result then is the version (§11). */
  readonly versioning?: Increment | undefined;
}

const longestTitle = 255;

/** The sort key of lists; cut, since an index entry holds about 2,700 bytes. */
export function sortTitle(name: string, properties: StoredProperties): string {
  const title = String(properties['dc:title'] ?? name);
  if (title.length <= longestTitle) return title;
  const start = title.slice(0, 2 * longestTitle); // its characters have one or two units each
  return [...start].slice(0, longestTitle).join('');
}

/** The row of a new document, with its parent's effective ACL. */
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
    isRecord: false,
    retainUntil: null,
    hasLegalHold: false,
    position: null,
    systemToken: 0,
    userToken: 0,
    aclId: parent.aclId,
    properties,
  };
}

/**
 * Inserts a row; while its name is taken, another one with milliseconds is tried.
 * @param eventsOf log entries for the document under the name that it got.
 * @throws Invalid when the path is too long; Conflict when every candidate name is taken.
 */
export async function insertNamed(
  scope: Scope,
  row: DocumentRow,
  eventsOf: (row: DocumentRow) => readonly AuditEvent[],
): Promise<DocumentRow> {
  const parentPath = row.path.slice(0, row.path.lastIndexOf('/')) || '/';
  for (const name of nameCandidates(row.name)) {
    const named = { ...row, name, path: childPath(parentPath, name), title: sortTitle(name, row.properties) };
    if (Buffer.byteLength(named.path) > maxPathBytes) {
      throw new Invalid(`the path would be longer than ${maxPathBytes} bytes`);
    }
    if (await insertDocument(scope, named, eventsOf(named))) return named;
  }
  throw new Conflict(`"${row.name}" and names like it are taken`);
}

/** @throws Invalid for an unknown type; Forbidden where it would look like what the server creates. */
export function creatableType(
  { services: { model }, user }: Pick<Scope, 'user'> & Using<'model'>,
  name: string,
): DocumentType {
  const type = model.types.get(name);
  if (!type) throw new Invalid(unknownName('type', name, model.types.keys()));
  if (!user.isAdministrator && commentKind(model, name))
    throw new Forbidden(`documents of type ${name} are created by @comment and @annotation`);
  if (!user.isAdministrator && name === userWorkspacesType)
    throw new Forbidden(`a document of type ${name} is created with the first workspace of a user`);
  return type;
}

/**
 * The properties that a new document has: the given ones, defaults of others, and those that the server sets.
 * @param facets those of the document alone.
 * @throws Invalid
 */
export async function firstProperties(
  scope: ValueScope,
  type: DocumentType,
  json: Record<string, unknown>,
  facets: readonly string[] = [],
): Promise<StoredProperties> {
  const { services, user } = scope;
  const { model } = services;
  const schemas = model.schemasOf(type.name, facets);
  const read = await readProperties(scope, schemas, json);
  const written = await applyPropertyChanges(schemas, {}, { given: read });
  const given = withoutUnset(written);
  requireNotReadOnly(user, given);
  const isTrackedNow = isTracked(schemas, [...type.facets, ...facets]);
  return withoutUnset({
    ...newDocumentDefaults(model, type.name, facets),
    ...written,
    ...(isTrackedNow ? creationProperties(user, new Date().toISOString(), given) : given),
  });
}

/**
 * Creates a document below a parent; a taken name gets milliseconds appended (§4.1).
 * @returns the document, or its version when one is requested.
 * @throws NotFound without the parent, Forbidden, Invalid, Unprocessable
 */
export async function createDocument(
  scope: Scope,
  parentReference: DocumentReference,
  document: NewDocument,
): Promise<DocumentRow> {
  const type = creatableType(scope, document.type);
  const { versioning = 'NONE' } = document;
  if (versioning !== 'NONE') requireVersionable(scope, { type: type.name, facets: [] });
  const name = documentName(document.name);
  // The lock keeps the parent's path and effective ACL, which the new row copies, until the commit.
  const parent = await lockDocument(scope, parentReference, { mode: 'SHARE', needs: 'AddChildren' });
  const properties = await firstProperties(scope, type, document.properties ?? {});
  await checkProperties(scope, type.schemas, properties);

  const made = newRow(parent, { name, type: type.name, properties });
  const increment = versioning === 'NONE' ? automaticIncrement(scope, 'after', made) : versioning;
  const checked = increment === 'NONE' ? made : checkedIn(made, increment);
  const row = await insertNamed(scope, checked, (document) => [
    { eventId: 'documentCreated', document },
    ...(increment === 'NONE' ? [] : [checkInEvent(scope, document)]),
  ]);
  await insertBlobs(scope, row);
  if (increment === 'NONE') return row;
  const version = await insertVersion(scope, row);
  return versioning === 'NONE' ? row : version;
}
