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

/** A change to the ACLs of a document. An ACL that becomes empty is removed. */
export type AclChange = (acls: readonly NamedAcl[]) => readonly NamedAcl[];

/**
 * Returns a change to the ACL with the given name. The ACL is added if it does not exist. ACLs of tasks are placed
 * before the local ACL (§2.5).
 */
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
 * Adds those ACEs that do not exist yet. They are placed before the ACE that blocks inheritance, if there is one,
 * because they would have no effect after it.
 */
const withAces = (aces: readonly Ace[], added: readonly Ace[]): readonly Ace[] => {
  const known = new Set(aces.map(aceKey));
  const fresh = unique(added).filter((ace) => !known.has(aceKey(ace)));
  const at = aces.findIndex(isBlock);
  return at < 0 ? [...aces, ...fresh] : [...aces.slice(0, at), ...fresh, ...aces.slice(at)];
};

/**
 * Adds ACEs, except those for which an ACE with the same user, permission, grant, creator and times already exists.
 */
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

/** Removes all ACEs of a user, a group or a guest from all ACLs. @param username the stored name */
export const removeAcesEverywhere =
  (username: string): AclChange =>
  (acls) =>
    acls
      .map(({ name, aces }) => ({ name, aces: aces.filter((ace) => ace.username !== username) }))
      .filter(({ aces }) => aces.length > 0);

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
 * Blocks inheritance. First grants Everything to the acting user and the administrators, so that they do not lock
 * themselves out.
 */
export const blockAcl = (name: string, user: string): AclChange =>
  inAcl(name, (aces) => {
    if (aces.some(isBlock)) return aces;
    return [...withAces(aces, [everything(user, user), everything(administrators, null)]), blockAce];
  });

/** Restores inheritance. The ACEs that `blockAcl` added are kept. */
export const unblockAcl = (name: string): AclChange =>
  inAcl(name, (aces) => aces.filter((ace) => !isBlock(ace)));

export const composeAclChanges =
  (...changes: readonly AclChange[]): AclChange =>
  (acls) =>
    changes.reduce((changed, change) => change(changed), acls);
