import { Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import {
  addAces,
  blockAcl,
  composeAclChanges,
  removeAce,
  removeAcesOf,
  replaceAce,
  setAces,
  unblockAcl,
} from '../../security/change-acls.ts';
import {
  type AceGrant,
  type AclName,
  aclName,
  type Grantees,
  grantees,
  type NewAce,
  newAclName,
  readAce,
  requireNames,
} from './aces.ts';
import { changeAcls } from './change-acls.ts';

/** A permission that is granted already is not granted again. @throws NotFound, Forbidden, Invalid */
export async function addPermission(
  scope: Scope,
  reference: DocumentReference,
  added: AceGrant & Grantees & AclName & { readonly blockInheritance?: boolean | null | undefined },
): Promise<DocumentRow> {
  const [name, { id: creator }] = [newAclName(added), scope.user];
  const names = await grantees(scope, added, added);
  const aces = names.map((username) => readAce(username, added, creator));
  const add = addAces(name, aces);
  return changeAcls(
    scope,
    reference,
    added.blockInheritance ? composeAclChanges(blockAcl(name, creator), add) : add,
  );
}

/** Replaces the ACE of an id; an unknown id changes nothing. @throws NotFound, Forbidden, Invalid */
export async function replacePermission(
  scope: Scope,
  reference: DocumentReference,
  { id, ...replacement }: NewAce & AclName & { readonly id: string },
): Promise<DocumentRow> {
  await requireNames(scope, [replacement.username]);
  const ace = readAce(replacement.username, replacement, scope.user.id);
  return changeAcls(scope, reference, replaceAce(aclName(replacement), id, ace));
}

/** Removes all ACEs of a user or group, or else the one of an id. @throws NotFound, Forbidden, Invalid */
export async function removePermission(
  scope: Scope,
  reference: DocumentReference,
  removed: AclName & { readonly user?: string | null | undefined; readonly id?: string | null | undefined },
): Promise<DocumentRow> {
  const { user, id } = removed;
  const name = aclName(removed);
  if (!user && !id) throw new Invalid("'id' or 'user' parameter must be set");
  return changeAcls(scope, reference, user ? removeAcesOf(name, user) : removeAce(name, id ?? ''));
}

/** Adds one ACE, or replaces all others by it. @throws NotFound, Forbidden, Invalid */
export async function addAce(
  scope: Scope,
  reference: DocumentReference,
  added: NewAce & AclName & { readonly overwrite?: boolean | null | undefined },
): Promise<DocumentRow> {
  await requireNames(scope, [added.username]);
  const aces = [readAce(added.username, added, scope.user.id)];
  const name = newAclName(added);
  return changeAcls(scope, reference, added.overwrite ? setAces(name, aces) : addAces(name, aces));
}

export async function setAcl(
  scope: Scope,
  reference: DocumentReference,
  { aces, ...named }: AclName & { readonly aces: readonly NewAce[] },
): Promise<DocumentRow> {
  await requireNames(
    scope,
    aces.map(({ username }) => username),
  );
  const read = aces.map((ace) => readAce(ace.username, ace, scope.user.id));
  return changeAcls(scope, reference, setAces(newAclName(named), read));
}

/** @throws NotFound, Forbidden, Invalid */
export const removeAcl = (scope: Scope, reference: DocumentReference, named: AclName): Promise<DocumentRow> =>
  changeAcls(scope, reference, setAces(aclName(named), []));

/** The caller and administrators keep all permissions. @throws NotFound, Forbidden, Invalid */
export const blockInheritance = (
  scope: Scope,
  reference: DocumentReference,
  named: AclName = {},
): Promise<DocumentRow> => changeAcls(scope, reference, blockAcl(newAclName(named), scope.user.id));

/** Other ACEs stay. @throws NotFound, Forbidden, Invalid */
export const unblockInheritance = (
  scope: Scope,
  reference: DocumentReference,
  named: AclName = {},
): Promise<DocumentRow> => changeAcls(scope, reference, unblockAcl(newAclName(named)));
