/** The type of the folder of all user workspaces, whose ACL denies everything to everyone. */
export const userWorkspacesType = 'UserWorkspacesRoot';

export const userWorkspacesPath = '/default-domain/UserWorkspaces';

/** The name of a user's workspace: the user name, with characters that are special in URLs in hexadecimal. */
export const workspaceName = (user: string): string =>
  user.replace(/[~/\\?&;@]/g, (character) => `~${character.charCodeAt(0).toString(16)}`);

export const workspacePath = (user: string): string => `${userWorkspacesPath}/${workspaceName(user)}`;

export const favoritesPath = (user: string): string => `${workspacePath(user)}/Favorites`;
