import { dirname } from 'node:path/posix';
import { Invalid } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { childPath, documentName } from '../model/names.ts';
import { favoritesPath, userWorkspaces, workspaceName, workspacePath } from '../model/user-workspaces.ts';
import type { Scope } from '../scope.ts';
import { type Ace, block } from '../security/acl.ts';
import { hold } from './authorities/hold.ts';
import { documentAtPath, provide } from './on-demand.ts';

const everything = (username: string): Ace => ({
  ...{ username, permission: 'Everything', granted: true },
  ...{ creator: null, begin: null, end: null },
});

/** What a user is called by people. */
async function fullName({ db, user }: Scope): Promise<string> {
  const { id, properties } = await hold(db, 'user', user.id, 'KEY SHARE');
  return [properties.firstName, properties.lastName].filter(Boolean).join(' ') || id;
}

/** @throws Invalid when no document can be called so. */
function nameFor(user: string): string {
  const name = workspaceName(user);
  if (documentName(name) !== name) throw new Invalid(`"${user}" is no name that a workspace can have`);
  return name;
}

/**
 * The caller's own workspace, made when it is not there yet: there the caller may do everything, and others nothing
 * that he does not let them.
 * @throws NotFound, Conflict, Invalid
 */
export async function userWorkspace(scope: Scope): Promise<DocumentRow> {
  const { user } = scope;
  const name = nameFor(user.id);
  const known = await documentAtPath(scope, workspacePath(user.id));
  if (known) return known;
  const above = { parent: dirname(userWorkspaces), name: 'UserWorkspaces', title: 'User Workspaces' };
  await provide(scope, { ...above, type: 'UserWorkspacesRoot', aces: [block] });
  const own = { parent: userWorkspaces, name, title: await fullName(scope) };
  return provide(scope, { ...own, type: 'Workspace', aces: [everything(user.id)] });
}

/** A document in the caller's workspace that the server keeps there, under the name of its type. */
async function inWorkspace(scope: Scope, type: 'Favorites' | 'Collections'): Promise<DocumentRow> {
  const parent = workspacePath(scope.user.id);
  const known = await documentAtPath(scope, childPath(parent, type));
  if (known?.type === type) return known;
  await userWorkspace(scope);
  return provide(scope, { parent, name: type, type, title: type });
}

/** The caller's favorites, made when they are not there yet. @throws NotFound, Conflict, Invalid */
export const favorites = (scope: Scope): Promise<DocumentRow> => inWorkspace(scope, 'Favorites');

/** What the caller's collections are in, made when it is not there yet. @throws NotFound, Conflict, Invalid */
export const ownCollections = (scope: Scope): Promise<DocumentRow> => inWorkspace(scope, 'Collections');

/** The caller's favorites, if there are any. */
export async function knownFavorites(scope: Scope): Promise<DocumentRow | undefined> {
  const row = await documentAtPath(scope, favoritesPath(scope.user.id));
  return row?.type === 'Favorites' ? row : undefined;
}
