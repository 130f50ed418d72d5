import type { Permission } from './permissions.ts';

/** The actions that a guest can take on the shared document and everything below it. */
export const shareModes = ['read', 'comment', 'upload'] as const;

export type ShareMode = (typeof shareModes)[number];

/** The permissions that a link grants to guests who open it. */
export const sharePermissions: Readonly<Record<ShareMode, readonly Permission[]>> = {
  read: ['Read'],
  comment: ['Read', 'Comment'],
  upload: ['Read', 'AddChildren'],
};

/**
 * The prefix of the names of ACLs that belong to links. When a document is copied, these ACLs are not copied.
 */
const shareAclPrefix = 'share/';

/** Returns the name of a link's ACL on the shared document. */
export const shareAclName = (link: string): string => `${shareAclPrefix}${link}`;

/**
 * Returns the address that ACEs use for the guest of a link, in place of an email address. It can never receive mail,
 * because no host name ends in `.invalid` (RFC 2606).
 */
export const linkAddress = (link: string): string => `${link}@link.invalid`;
