import { administrators } from '../scope.ts';
import { type Ace, type Acl, aceId, block, isBlock, local } from './acl.ts';

/** What turns the ACLs of a document into others; an ACL without ACEs is none. */
export type AclChange = (acls: readonly Acl[]) => readonly Acl[];

/** Changes the ACL of a name, which need not be there yet: those of tasks count before the local one (§2.5). */
const inAcl =
  (name: string, change: (aces: readonly Ace[]) => readonly Ace[]): AclChange =>
  (acls) => {
    const found = acls.find((acl) => acl.name === name);
    const changed = { name, aces: change(found?.aces ?? []) };
    const all = found
      ? acls.map((acl) => (acl === found ? changed : acl))
      : name === local
        ? [...acls, changed]
        : [changed, ...acls];
    return all.filter(({ aces }) => aces.length > 0);
  };

const unique = (aces: readonly Ace[]): Ace[] => [...new Map(aces.map((ace) => [aceId(ace), ace])).values()];

/** Puts new ACEs where they count: before a block. One that is there already stays as it is. */
const withAces = (aces: readonly Ace[], added: readonly Ace[]): readonly Ace[] => {
  const known = new Set(aces.map(aceId));
  const fresh = unique(added).filter((ace) => !known.has(aceId(ace)));
  const at = aces.findIndex(isBlock);
  return at < 0 ? [...aces, ...fresh] : [...aces.slice(0, at), ...fresh, ...aces.slice(at)];
};

/** Adds ACEs; one equal in user, permission, grant, creator and times is not added again. */
export const addAces = (name: string, added: readonly Ace[]): AclChange =>
  inAcl(name, (aces) => withAces(aces, added));

/** Puts an ACE in the place of another; where nothing has that id, nothing changes. */
export const replaceAce = (name: string, id: string, ace: Ace): AclChange =>
  inAcl(name, (aces) => unique(aces.map((found) => (aceId(found) === id ? ace : found))));

/** Takes out the ACEs of a user or group. */
export const removeAcesOf = (name: string, username: string): AclChange =>
  inAcl(name, (aces) => aces.filter((ace) => ace.username !== username));

/** Takes out one ACE. */
export const removeAce = (name: string, id: string): AclChange =>
  inAcl(name, (aces) => aces.filter((ace) => aceId(ace) !== id));

/** Puts these ACEs in the place of all that there are; with none the ACL is gone. */
export const setAces = (name: string, aces: readonly Ace[]): AclChange => inAcl(name, () => unique(aces));

const everything = (username: string, creator: string | null): Ace => ({
  ...{ username, permission: 'Everything', granted: true },
  ...{ creator, begin: null, end: null },
});

/** Nothing of the ancestors counts any more; who does this, and administrators, keep everything. */
export const blockAcl = (name: string, user: string): AclChange =>
  inAcl(name, (aces) => {
    if (aces.some(isBlock)) return aces;
    return [...withAces(aces, [everything(user, user), everything(administrators, null)]), block];
  });

/** Takes the block away, and nothing else. */
export const unblockAcl = (name: string): AclChange =>
  inAcl(name, (aces) => aces.filter((ace) => !isBlock(ace)));

/** One change after the other. */
export const inTurn =
  (...changes: readonly AclChange[]): AclChange =>
  (acls) =>
    changes.reduce((changed, change) => change(changed), acls);
