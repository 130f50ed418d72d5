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

/** @throws Conflict when a document of another type has the path. */
async function found(
  scope: Scope,
  { parent, name, type }: OnDemandDocument,
): Promise<DocumentRow | undefined> {
  const path = childPath(parent, name);
  const row = await documentAtPath(scope, path);
  if (row && row.type !== type) throw new Conflict(`${path} is a ${row.type}, where a ${type} should be`);
  return row;
}

/** Undefined when another transaction inserted the document first. */
async function inserted(server: Scope, wanted: OnDemandDocument): Promise<DocumentRow | undefined> {
  const { parent, name, type, title, aces } = wanted;
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
 * Reads such a document, or creates it in the caller's name whatever permissions the caller has there. Of
 * concurrent transactions one creates it; the others wait on the unique key and read its row, so that no lock
 * is taken when it exists.
 * @throws NotFound without the parent; Conflict when a document of another type has the path.
 */
export async function getOrCreateDocument(scope: Scope, wanted: OnDemandDocument): Promise<DocumentRow> {
  const server = { ...scope, user: administrator(scope.user.id) };
  const row =
    (await found(scope, wanted)) ?? (await inserted(server, wanted)) ?? (await found(scope, wanted));
  if (!row) throw new Conflict(`${childPath(wanted.parent, wanted.name)} was deleted meanwhile; try again`);
  return row;
}
