import {
  type Ace,
  aceKey,
  acesOfId,
  acesOfName,
  blockAce,
  isBlock,
  localAclName,
  type NamedAcl,
} from './acl.ts';
import { administrators } from './principal.ts';

/** A change of the ACLs of a document. An ACL without ACEs is removed. */
export type AclChange = (acls: readonly NamedAcl[]) => readonly NamedAcl[];

/** Changes the ACL with a name, or adds it. ACLs of tasks are placed before the local one (§2.5). */
const inAcl =
  (name: string, change: (aces: readonly Ace[]) => readonly Ace[]): AclChange =>
  (acls) => {
    const found = acls.find((acl) => acl.name === name);
    const changed = { name, aces: change(found?.aces ?? []) };
    const all = found
      ? acls.map((acl) => (acl === found ? changed : acl))
      : name === localAclName
        ? [...acls, changed]
        : [changed, ...acls];
    return all.filter(({ aces }) => aces.length > 0);
  };

const unique = (aces: readonly Ace[]): Ace[] => [...new Map(aces.map((ace) => [aceKey(ace), ace])).values()];

/**
 * Inserts ACEs that do not exist yet. They are placed before an ACE that blocks inheritance, after which none
 * applies.
 */
const withAces = (aces: readonly Ace[], added: readonly Ace[]): readonly Ace[] => {
  const known = new Set(aces.map(aceKey));
  const fresh = unique(added).filter((ace) => !known.has(aceKey(ace)));
  const at = aces.findIndex(isBlock);
  return at < 0 ? [...aces, ...fresh] : [...aces.slice(0, at), ...fresh, ...aces.slice(at)];
};

/** Adds ACEs, except those that equal an existing one in user, permission, grant, creator and times. */
export const addAces = (name: string, added: readonly Ace[]): AclChange =>
  inAcl(name, (aces) => withAces(aces, added));

export const replaceAce = (name: string, id: string, ace: Ace): AclChange =>
  inAcl(name, (aces) => {
    const replaced = acesOfId(aces, id);
    return unique(aces.map((found) => (replaced.includes(found) ? ace : found)));
  });

const without = (aces: readonly Ace[], removed: readonly Ace[]): readonly Ace[] => {
  const gone = new Set(removed);
  return aces.filter((ace) => !gone.has(ace));
};

/** Removes all ACEs of a user, a group or a guest. */
export const removeAcesOf = (name: string, username: string): AclChange =>
  inAcl(name, (aces) => without(aces, acesOfName(aces, username)));

export const removeAce = (name: string, id: string): AclChange =>
  inAcl(name, (aces) => without(aces, acesOfId(aces, id)));

/** Replaces all ACEs of an ACL. An empty list removes the ACL. */
export const setAces = (name: string, aces: readonly Ace[]): AclChange => inAcl(name, () => unique(aces));

const everything = (username: string, creator: string | null): Ace => ({
  username,
  permission: 'Everything',
  granted: true,
  creator,
  begin: null,
  end: null,
});

/**
 * Blocks inheritance. The user who does so and administrators are granted Everything, so that neither is locked out.
 */
export const blockAcl = (name: string, user: string): AclChange =>
  inAcl(name, (aces) => {
    if (aces.some(isBlock)) return aces;
    return [...withAces(aces, [everything(user, user), everything(administrators, null)]), blockAce];
  });

/** Restores inheritance. The ACEs that `blockAcl` has granted remain. */
export const unblockAcl = (name: string): AclChange =>
  inAcl(name, (aces) => aces.filter((ace) => !isBlock(ace)));

export const composeAclChanges =
  (...changes: readonly AclChange[]): AclChange =>
  (acls) =>
    changes.reduce((changed, change) => change(changed), acls);
