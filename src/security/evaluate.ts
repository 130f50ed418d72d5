import { type Ace, aceStatus, everyone } from './acl.ts';
import { type Permission, permissionsGranting } from './permissions.ts';
import type { Principal } from './principal.ts';

export const aceUsernames = ({ id, groups }: Pick<Principal, 'id' | 'groups'>): string[] => [
  id,
  ...groups,
  everyone,
];

/** The names under which ACEs apply to a user, and the time. Administrators have all permissions without evaluation. */
export interface Subject {
  readonly names: ReadonlySet<string>;
  readonly now: string;
}

/**
 * §2.5: the first effective ACE that applies to the subject and whose permission contains the wanted one decides.
 * @param entries the effective ACEs of a document, in order.
 */
export function decidingAce(
  entries: readonly Ace[],
  { names, now }: Subject,
  wanted: Permission,
): Ace | undefined {
  const deciding = permissionsGranting(wanted);
  return entries.find(
    (ace) => names.has(ace.username) && deciding.has(ace.permission) && aceStatus(ace, now) === 'effective',
  );
}

/** Whether a permission is granted. Without a deciding ACE it is not. */
export const isGranted = (entries: readonly Ace[], subject: Subject, wanted: Permission): boolean =>
  decidingAce(entries, subject, wanted)?.granted === true;
