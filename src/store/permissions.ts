import { Invalid } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import {
  addAces,
  blockAcl,
  inTurn,
  removeAce,
  removeAcesOf,
  replaceAce,
  setAces,
  unblockAcl,
} from '../security/change-acls.ts';
import {
  type AclName,
  aclName,
  type Grant,
  type Grantees,
  grantees,
  type NewAce,
  readAce,
  requireNames,
} from './aces.ts';
import { changeAcls } from './change-acls.ts';
import type { DocumentReference } from './lock-document.ts';

/**
 * Grants a permission to users and groups, or to a guest by e-mail; what is granted already is not granted again.
 * @throws NotFound, Forbidden, Invalid
 */
export async function addPermission(
  scope: Scope,
  reference: DocumentReference,
  added: Grant & Grantees & AclName & { readonly blockInheritance?: boolean | null | undefined },
): Promise<DocumentRow> {
  const [name, { id: creator }] = [aclName(added), scope.user];
  const names = await grantees(scope, added, added);
  const aces = names.map((username) => readAce(username, added, creator));
  const add = addAces(name, aces);
  return changeAcls(scope, reference, added.blockInheritance ? inTurn(blockAcl(name, creator), add) : add);
}

/**
 * Puts an ACE in the place of the one with an id; an id that no ACE has changes nothing.
 * @throws NotFound, Forbidden, Invalid
 */
export async function replacePermission(
  scope: Scope,
  reference: DocumentReference,
  { id, ...replacement }: NewAce & AclName & { readonly id: string },
): Promise<DocumentRow> {
  await requireNames(scope, [replacement.username]);
  const ace = readAce(replacement.username, replacement, scope.user.id);
  return changeAcls(scope, reference, replaceAce(aclName(replacement), id, ace));
}

/**
 * Takes away all ACEs of a user or group, or the one with an id; the user counts when both are given.
 * @throws NotFound, Forbidden, Invalid
 */
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

/**
 * Adds one ACE to an ACL, or makes it the only one there.
 * @throws NotFound, Forbidden, Invalid
 */
export async function addAce(
  scope: Scope,
  reference: DocumentReference,
  added: NewAce & AclName & { readonly overwrite?: boolean | null | undefined },
): Promise<DocumentRow> {
  await requireNames(scope, [added.username]);
  const aces = [readAce(added.username, added, scope.user.id)];
  const name = aclName(added);
  return changeAcls(scope, reference, added.overwrite ? setAces(name, aces) : addAces(name, aces));
}

/**
 * Puts these ACEs, in this order, in the place of all that an ACL has.
 * @throws NotFound, Forbidden, Invalid
 */
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
  return changeAcls(scope, reference, setAces(aclName(named), read));
}

/** Takes an ACL away whole. @throws NotFound, Forbidden, Invalid */
export const removeAcl = (scope: Scope, reference: DocumentReference, named: AclName): Promise<DocumentRow> =>
  changeAcls(scope, reference, setAces(aclName(named), []));

/**
 * Lets nothing of the ancestors count any more; the caller and administrators keep everything.
 * @throws NotFound, Forbidden, Invalid
 */
export const blockInheritance = (
  scope: Scope,
  reference: DocumentReference,
  named: AclName = {},
): Promise<DocumentRow> => changeAcls(scope, reference, blockAcl(aclName(named), scope.user.id));

/** Lets the ACEs of the ancestors count again, and changes nothing else. @throws NotFound, Forbidden, Invalid */
export const unblockInheritance = (
  scope: Scope,
  reference: DocumentReference,
  named: AclName = {},
): Promise<DocumentRow> => changeAcls(scope, reference, unblockAcl(aclName(named)));
