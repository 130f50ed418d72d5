/** Of the folder above all of them, which denies everything to everyone. */
export const userWorkspacesType = 'UserWorkspacesRoot';

export const userWorkspacesPath = '/default-domain/UserWorkspaces';

/** The user name with special characters of addresses in hexadecimal. */
export const workspaceName = (user: string): string =>
  user.replace(/[~/\\?&;@]/g, (character) => `~${character.charCodeAt(0).toString(16)}`);

export const workspacePath = (user: string): string => `${userWorkspacesPath}/${workspaceName(user)}`;

export const favoritesPath = (user: string): string => `${workspacePath(user)}/Favorites`;
