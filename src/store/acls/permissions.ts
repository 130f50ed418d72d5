import { isDeepStrictEqual } from 'node:util';
import { Invalid, NotFound } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import { type Ace, acesOfId } from '../../security/acl.ts';
import {
  type AclChange,
  addAces,
  blockAcl,
  composeAclChanges,
  removeAce,
  removeAcesOf,
  replaceAce,
  setAces,
  unblockAcl,
} from '../../security/change-acls.ts';
import type { Preconditions } from '../documents/mutability.ts';
import {
  type AceGrant,
  type AclName,
  aclName,
  type Grantees,
  grantees,
  guest,
  type NewAce,
  newAclName,
  readAce,
  readAces,
} from './aces.ts';
import { changeAcls } from './change-acls.ts';

/**
 * Adds a permission, unless it is already granted.
 * @throws NotFound, Forbidden, Invalid
 */
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

/** The error for a change to an ACE that the ACL does not contain. */
const noSuch = (what: string, reference: DocumentReference): NotFound =>
  new NotFound(`There is no ${what} on ${referenceKey(reference).value}.`);

const permissionOfId = (id: string): string => `permission ${id.slice(0, 200)}`;

/**
 * Replaces the ACE with the given id.
 * @throws NotFound if there is no such document or ACE; Forbidden, Invalid
 */
export async function replacePermission(
  scope: Scope,
  reference: DocumentReference,
  { id, ...replacement }: NewAce & AclName & { readonly id: string },
): Promise<DocumentRow> {
  const [ace] = (await readAces(scope, [replacement])) as [Ace];
  const name = aclName(replacement);
  const orRefuse: AclChange = (acls) => {
    const aces = acls.find((acl) => acl.name === name)?.aces ?? [];
    if (acesOfId(aces, id).length === 0) throw noSuch(permissionOfId(id), reference);
    return replaceAce(name, id, ace)(acls);
  };
  return changeAcls(scope, reference, orRefuse);
}

/** Selects the ACEs to remove. */
interface RemovedAces extends AclName {
  /** A user, group or guest whose ACEs are all removed. */
  readonly user?: string | null | undefined;
  /** The e-mail address of a guest; used without `user`. */
  readonly email?: string | null | undefined;
  /** The id of one ACE; used without `user` and `email`. */
  readonly id?: string | null | undefined;
}

/**
 * Returns the change that removes the ACEs, and a description of them for messages.
 * @throws Invalid
 */
function removal(removed: RemovedAces): { readonly change: AclChange; readonly what: string } {
  const { user, email, id } = removed;
  const name = aclName(removed);
  if (user) return { change: removeAcesOf(name, user), what: `permission of ${user.slice(0, 80)}` };
  if (email) return { change: removeAcesOf(name, guest(email)), what: `permission of ${email.slice(0, 80)}` };
  if (id) return { change: removeAce(name, id), what: permissionOfId(id) };
  throw new Invalid("'id', 'user' or 'email' parameter must be set");
}

/**
 * Removes ACEs (§2.5).
 * @throws NotFound if there is no such document or ACE; Forbidden, Invalid, PreconditionFailed
 */
export async function removePermission(
  scope: Scope,
  reference: DocumentReference,
  removed: RemovedAces,
  conditions: Preconditions = {},
): Promise<DocumentRow> {
  const { change, what } = removal(removed);
  const orRefuse: AclChange = (acls) => {
    const after = change(acls);
    if (isDeepStrictEqual(after, acls)) throw noSuch(what, reference);
    return after;
  };
  return changeAcls(scope, reference, orRefuse, conditions);
}

/**
 * Adds an ACE to an ACL, or replaces all ACEs of the ACL with it.
 * @throws NotFound, Forbidden, Invalid, PreconditionFailed
 */
export async function addAce(
  scope: Scope,
  reference: DocumentReference,
  added: NewAce & AclName & { readonly overwrite?: boolean | null | undefined },
  conditions: Preconditions = {},
): Promise<{ readonly document: DocumentRow; readonly ace: Ace }> {
  const [ace] = (await readAces(scope, [added])) as [Ace];
  const name = newAclName(added);
  const change = added.overwrite ? setAces(name, [ace]) : addAces(name, [ace]);
  return { document: await changeAcls(scope, reference, change, conditions), ace };
}

/** Replaces all ACEs of an ACL. @throws NotFound, Forbidden, Invalid */
export async function setAcl(
  scope: Scope,
  reference: DocumentReference,
  { aces, ...named }: AclName & { readonly aces: readonly NewAce[] },
): Promise<DocumentRow> {
  const read = await readAces(scope, aces);
  return changeAcls(scope, reference, setAces(newAclName(named), read));
}

/** Removes all ACEs of an ACL. @throws NotFound, Forbidden, Invalid */
export const removeAcl = (scope: Scope, reference: DocumentReference, named: AclName): Promise<DocumentRow> =>
  changeAcls(scope, reference, setAces(aclName(named), []));

/**
 * Blocks inheritance, and grants the caller and the administrators all permissions.
 * @throws NotFound, Forbidden, Invalid
 */
export const blockInheritance = (
  scope: Scope,
  reference: DocumentReference,
  named: AclName = {},
): Promise<DocumentRow> => changeAcls(scope, reference, blockAcl(newAclName(named), scope.user.id));

/**
 * Removes the ACEs that block inheritance, but no others.
 * @throws NotFound, Forbidden, Invalid
 */
export const unblockInheritance = (
  scope: Scope,
  reference: DocumentReference,
  named: AclName = {},
): Promise<DocumentRow> => changeAcls(scope, reference, unblockAcl(newAclName(named)));
