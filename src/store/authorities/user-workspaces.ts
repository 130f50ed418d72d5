import { dirname } from 'node:path/posix';
import { Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { documentAtPath } from '../../loaders/documents/unchecked.ts';
import { childPath, documentName } from '../../model/names.ts';
import {
  favoritesPath,
  userWorkspacesPath,
  userWorkspacesType,
  workspaceName,
  workspacePath,
} from '../../model/user-workspaces.ts';
import type { Scope } from '../../scope.ts';
import { type Ace, blockAce } from '../../security/acl.ts';
import { getOrCreateDocument } from '../documents/get-or-create.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';

/** An ACE that grants a user all permissions. */
export const everything = (username: string): Ace => ({
  username,
  permission: 'Everything',
  granted: true,
  creator: null,
  begin: null,
  end: null,
});

/** The caller's first and last name, for the title of the workspace. */
async function fullName({ db, user }: Scope): Promise<string> {
  const { id, properties } = await lockAuthority(db, 'user', user.id, 'KEY SHARE');
  return [properties.firstName, properties.lastName].filter(Boolean).join(' ') || id;
}

/**
 * The name of a user's workspace.
 * @throws Invalid if no document can have the name
 */
function nameFor(user: string): string {
  const name = workspaceName(user);
  if (documentName(name) !== name)
    throw new Invalid(`The user name "${user}" cannot be the name of a workspace.`);
  return name;
}

/**
 * Returns the caller's user workspace, creating it if it does not exist. Its ACL grants the caller Everything and
 * blocks inheritance.
 * @throws NotFound, Conflict, Invalid
 */
export async function ensureUserWorkspace(scope: Scope): Promise<DocumentRow> {
  const { user } = scope;
  const name = nameFor(user.id);
  const known = await documentAtPath(scope, workspacePath(user.id));
  if (known) return known;
  const above = { parent: dirname(userWorkspacesPath), name: 'UserWorkspaces', title: 'User Workspaces' };
  await getOrCreateDocument(scope, { ...above, type: userWorkspacesType, aces: [blockAce] });
  const own = { parent: userWorkspacesPath, name, title: await fullName(scope) };
  return getOrCreateDocument(scope, { ...own, type: 'Workspace', aces: [everything(user.id)] });
}

async function inWorkspace(scope: Scope, type: 'Favorites' | 'Collections'): Promise<DocumentRow> {
  const parent = workspacePath(scope.user.id);
  const known = await documentAtPath(scope, childPath(parent, type));
  if (known?.type === type) return known;
  await ensureUserWorkspace(scope);
  return getOrCreateDocument(scope, { parent, name: type, type, title: type });
}

/**
 * Returns the caller's favorites, creating them if they do not exist.
 * @throws NotFound, Conflict, Invalid
 */
export const ensureFavorites = (scope: Scope): Promise<DocumentRow> => inWorkspace(scope, 'Favorites');

/**
 * Returns the folder for the caller's collections, creating it if it does not exist.
 * @throws NotFound, Conflict, Invalid
 */
export const ensureCollections = (scope: Scope): Promise<DocumentRow> => inWorkspace(scope, 'Collections');

/** The caller's favorites, if they exist. */
export async function findFavorites(scope: Scope): Promise<DocumentRow | undefined> {
  const row = await documentAtPath(scope, favoritesPath(scope.user.id));
  return row?.type === 'Favorites' ? row : undefined;
}
