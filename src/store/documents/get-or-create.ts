import { Conflict } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { documentAtPath } from '../../loaders/documents/unchecked.ts';
import { typeDefaults } from '../../model/defaults.ts';
import { childPath } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { type Ace, localAclName } from '../../security/acl.ts';
import { setAces } from '../../security/change-acls.ts';
import { administrator } from '../../security/principal.ts';
import { changeAcls } from '../acls/change-acls.ts';
import { lockAncestors } from '../row-locks/lock-ancestors.ts';
import { lockDocument } from '../row-locks/lock-document.ts';
import { newRow } from './create-document.ts';
import { creationProperties } from './dublin-core.ts';
import { insertDocument } from './write-document.ts';

/** A document that the server creates when it is first needed. */
interface OnDemandDocument {
  readonly parent: string;
  readonly name: string;
  readonly type: string;
  readonly title: string;
  readonly aces?: readonly Ace[];
}

/**
 * Returns the document if it exists.
 * @throws Conflict if a document of another type is at the path
 */
async function found(
  scope: Scope,
  { parent, name, type }: OnDemandDocument,
): Promise<DocumentRow | undefined> {
  const path = childPath(parent, name);
  const row = await documentAtPath(scope, path);
  if (row && row.type !== type)
    throw new Conflict(`The document at ${path} is of type ${row.type}, but has to be of type ${type}.`);
  return row;
}

/** Inserts the document; returns undefined if another transaction has inserted it first. */
async function inserted(server: Scope, description: OnDemandDocument): Promise<DocumentRow | undefined> {
  const { parent, name, type, title, aces } = description;
  if (aces) await lockAncestors(server, { path: parent });
  const above = await lockDocument(server, { path: parent }, { mode: 'SHARE', needs: 'AddChildren' });
  const properties = {
    ...typeDefaults(server.services.model, type),
    ...creationProperties(server.user, new Date().toISOString(), { 'dc:title': title }),
  };
  const row = newRow(above, { name, type, properties });
  if (!(await insertDocument(server, row))) return undefined;
  return aces ? changeAcls(server, { id: row.id }, setAces(localAclName, aces)) : row;
}

/**
 * Returns an on-demand document. If it does not exist, it is created on behalf of the caller, regardless of the
 * caller's permissions. If several transactions do this at the same time, one of them creates the document; the others
 * wait for the unique key and then read its row. No lock is therefore needed when the document exists.
 * @throws NotFound if the parent does not exist; Conflict if a document of another type is at the path
 */
export async function getOrCreateDocument(scope: Scope, description: OnDemandDocument): Promise<DocumentRow> {
  const server = { ...scope, user: administrator(scope.user.id) };
  const row =
    (await found(scope, description)) ??
    (await inserted(server, description)) ??
    (await found(scope, description));
  if (!row)
    throw new Conflict(
      `The document at ${childPath(description.parent, description.name)} was deleted in the meantime. Try again.`,
    );
  return row;
}
