import { v7 as uuid } from 'uuid';
import { Conflict, Forbidden, Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { commentKind } from '../../model/comments/comment-tree.ts';
import { newDocumentDefaults } from '../../model/defaults.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { lifeCycle } from '../../model/life-cycle.ts';
import type { DocumentType } from '../../model/model.ts';
import { childPath, documentName, maxPathBytes, nameCandidates, sortTitle } from '../../model/names.ts';
import { userWorkspacesType } from '../../model/user-workspaces.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { Increment } from '../../model/versioning.ts';
import { unknownName } from '../../near-names.ts';
import type { Scope, Using, ValueScope } from '../../scope.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { beforeWrite } from '../extensions/before-write.ts';
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

/** A document to create. */
export interface NewDocument {
  readonly name: string;
  readonly type: string;
  readonly properties?: Record<string, unknown> | null | undefined;
  /** If set, the new document is checked in, and the resulting version is returned (§11). */
  readonly versioning?: Increment | undefined;
}

/** The row for a new document below a parent, with the effective ACL of that parent. */
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
 * Inserts a row. If its name is taken, the time in milliseconds is appended to the name.
 * @param eventsOf creates the log entries for the document with its final name
 * @throws Invalid if the path is too long; Conflict if every candidate name is taken
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
      throw new Invalid(`The path of the document would be longer than ${maxPathBytes} bytes.`);
    }
    if (await insertDocument(scope, named, eventsOf(named))) return named;
  }
  throw new Conflict(`The name "${row.name}" and its variants are taken. Choose another name.`);
}

/**
 * The type of a new document.
 * @throws Invalid for an unknown type; Forbidden for a type that only the server creates
 */
export function creatableType(
  { services: { model }, user }: Pick<Scope, 'user'> & Using<'model'>,
  name: string,
): DocumentType {
  const type = model.types.get(name);
  if (!type) throw new Invalid(unknownName('type', name, model.types.keys()));
  if (!user.isAdministrator && commentKind(model, name))
    throw new Forbidden(`Documents of type ${name} can only be created through @comment and @annotation.`);
  if (!user.isAdministrator && name === userWorkspacesType)
    throw new Forbidden(
      `Only the server creates documents of type ${name}, together with the first workspace of a user.`,
    );
  return type;
}

/**
 * The properties of a new document: those in the request, the defaults of all others, and those that the server sets.
 * @param facets the facets of the document itself, in addition to those of its type
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
  const written = await applyPropertyChanges(schemas, {}, { values: read });
  const input = withoutUnset(written);
  requireNotReadOnly(user, input);
  const isTrackedNow = isTracked(schemas, [...type.facets, ...facets]);
  return withoutUnset({
    ...newDocumentDefaults(model, type.name, facets),
    ...written,
    ...(isTrackedNow ? creationProperties(user, new Date().toISOString(), input) : input),
  });
}

/**
 * Creates a document below a parent. If the name is taken, the time in milliseconds is appended to it (§4.1).
 * @returns the document, or its version if one is requested
 * @throws NotFound if the parent does not exist; Forbidden, Invalid, Unprocessable
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
  // Until the commit, the lock prevents changes to the parent's path and effective ACL, which the new row copies.
  const parent = await lockDocument(scope, parentReference, { mode: 'SHARE', needs: 'AddChildren' });
  const properties = await firstProperties(scope, type, document.properties ?? {});
  await checkProperties(scope, type.schemas, properties);

  const made = await beforeWrite(scope, null, newRow(parent, { name, type: type.name, properties }));
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
