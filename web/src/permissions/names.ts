import { textOr } from '../texts/text.ts';

export const permissionText = (permission: string): string => textOr(`permission.${permission}`, permission);

/** The modes of links to a document with these facets. */
export const modesFor = (facets: readonly string[]): string[] =>
  facets.includes('Folderish') ? ['read', 'comment', 'upload'] : ['read', 'comment'];

/** Returns the label of a mode, which determines what people can do with a link: `read`, `comment` or `upload`. */
export const modeText = (mode: string): string => textOr(`links.mode.${mode}`, mode);

interface Entry {
  readonly username: string;
  readonly permission: string;
  readonly granted: boolean;
}

/** Whether an entry stops the inheritance of permissions: it denies everything to everyone. */
export const isBlock = ({ username, permission, granted }: Entry): boolean =>
  username === 'Everyone' && permission === 'Everything' && !granted;
