import type { Principal } from '../scope.ts';
import { type Ace, aceStatus, everyone } from './acl.ts';
import { decidingAbout, type Permission } from './permissions.ts';

/** The names under which an ACE can mean somebody. */
export const namesOf = ({ id, groups }: Pick<Principal, 'id' | 'groups'>): string[] => [
  id,
  ...groups,
  everyone,
];

/** Somebody at a moment; administrators are not asked about. */
export interface Subject {
  readonly names: ReadonlySet<string>;
  /** Written as the times of ACEs are. */
  readonly now: string;
}

/**
 * §2.5: the first effective ACE that means somebody and has the wanted permission in it decides; without one the
 * answer is no.
 * @param entries all ACEs that count on a document, first things first.
 */
export function isGranted(entries: readonly Ace[], { names, now }: Subject, wanted: Permission): boolean {
  const deciding = decidingAbout(wanted);
  const first = entries.find(
    (ace) => names.has(ace.username) && deciding.has(ace.permission) && aceStatus(ace, now) === 'effective',
  );
  return first?.granted === true;
}
