/** The type of the folder that contains all user workspaces. Its ACL denies everything to everyone. */
export const userWorkspacesType = 'UserWorkspacesRoot';

export const userWorkspacesPath = '/default-domain/UserWorkspaces';

/**
 * Returns the name of a user's workspace, which is the user name. Characters with a special meaning in URLs are
 * replaced with their hexadecimal codes.
 */
export const workspaceName = (user: string): string =>
  user.replace(/[~/\\?&;@]/g, (character) => `~${character.charCodeAt(0).toString(16)}`);

export const workspacePath = (user: string): string => `${userWorkspacesPath}/${workspaceName(user)}`;

export const favoritesPath = (user: string): string => `${workspacePath(user)}/Favorites`;
