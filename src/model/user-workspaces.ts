/** What the workspaces of users are in. */
export const userWorkspaces = '/default-domain/UserWorkspaces';

/** What a user's workspace is called: characters that mean something in an address are written as hexadecimal. */
export const workspaceName = (user: string): string =>
  user.replace(/[~/\\?&;@]/g, (character) => `~${character.charCodeAt(0).toString(16)}`);

/** Where a user's own documents are. */
export const workspacePath = (user: string): string => `${userWorkspaces}/${workspaceName(user)}`;

/** Where a user's favorites are. */
export const favoritesPath = (user: string): string => `${workspacePath(user)}/Favorites`;
