import { type Ace, aceStatus, everyone, isGuest } from './acl.ts';
import { type Permission, permissionsGranting } from './permissions.ts';
import type { Principal } from './principal.ts';

/**
 * Returns the names that ACEs can use to refer to a user: the user, the user's groups, and Everyone. The group Everyone
 * contains all users, but no guests.
 */
export const aceUsernames = ({ id, groups }: Pick<Principal, 'id' | 'groups'>): string[] =>
  isGuest(id) ? [id] : [id, ...groups, everyone];

/**
 * The names that ACEs can use to refer to a user, and the time of the check. There is no subject for administrators,
 * who have all permissions.
 */
export interface Subject {
  readonly names: ReadonlySet<string>;
  readonly now: string;
}

/**
 * §2.5: finds the ACE that determines whether a permission is granted: the first effective ACE that applies to the
 * subject and contains the permission.
 * @param entries the effective ACEs of a document, in order.
 */
export function decidingAce(
  entries: readonly Ace[],
  { names, now }: Subject,
  permission: Permission,
): Ace | undefined {
  const deciding = permissionsGranting(permission);
  return entries.find(
    (ace) => names.has(ace.username) && deciding.has(ace.permission) && aceStatus(ace, now) === 'effective',
  );
}

/** Whether a permission is granted. If no ACE applies, it is denied. */
export const isGranted = (entries: readonly Ace[], subject: Subject, permission: Permission): boolean =>
  decidingAce(entries, subject, permission)?.granted === true;
