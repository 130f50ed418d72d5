import { hashId } from '../model/hash-id.ts';
import { permissionsGranting } from './permissions.ts';

/**
 * §2.5: an access control entry (ACE). Times are in UTC with whole seconds, such as `2024-03-01T10:15:30.000Z`.
 */
export interface Ace {
  readonly username: string;
  readonly permission: string;
  readonly granted: boolean;
  readonly creator: string | null;
  readonly begin: string | null;
  readonly end: string | null;
  /** Whether the user is notified by email when the ACE becomes effective. */
  readonly notify?: boolean | undefined;
  /** The text of the notification email. */
  readonly comment?: string | undefined;
}

export interface NamedAcl {
  readonly name: string;
  readonly aces: readonly Ace[];
}

export const everyone = 'Everyone';

/** The name of the ACL that users change. ACLs with other names belong to tasks and are placed before it. */
export const localAclName = 'local';

/** The name under which responses list the inherited ACEs. No ACL of a document has this name. */
export const inheritedAclName = 'inherited';

/** The prefix of the stored names of guests, who are invited by email and have no account. */
export const guestPrefix = 'transient/';

export const isGuest = (name: string): boolean => name.startsWith(guestPrefix);

/**
 * Returns a stored name as a user may see it. Guests do not see which other guests there are, because these names contain
 * email addresses.
 */
export const nameSeenBy = (user: { readonly id: string }, name: string): string =>
  isGuest(user.id) && isGuest(name) && name !== user.id ? `${guestPrefix}guest` : name;

/** Returns the name by which responses refer to a user or group. For a guest, this is the email address. */
export const shownName = (name: string): string =>
  isGuest(name) ? (name.slice(guestPrefix.length).split('/')[0] ?? name) : name;

/** §2.5: the ACE that blocks inheritance. The ACEs after it, including inherited ones, have no effect. */
export const blockAce: Ace = {
  username: everyone,
  permission: 'Everything',
  granted: false,
  creator: null,
  begin: null,
  end: null,
};

export const isBlock = ({ username, permission, granted, begin, end }: Ace): boolean =>
  !granted && username === everyone && permission === 'Everything' && begin === null && end === null;

const milliseconds = (time: string | null): string => (time === null ? '' : String(Date.parse(time)));

/**
 * Returns the key that identifies an ACE within its ACL. It contains the stored name, because a guest's name in
 * responses can be equal to the name of a user.
 */
export const aceKey = ({ username, permission, granted, creator, begin, end }: Ace): string =>
  [username, permission, granted, creator ?? '', milliseconds(begin), milliseconds(end)].join(':');

/**
 * §2.5: returns the id that clients see for an ACE. For a guest, it contains the email address instead of the stored
 * name.
 */
export const aceId = (ace: Ace): string => aceKey({ ...ace, username: shownName(ace.username) });

/**
 * Finds the ACEs with a given id. For a guest, the id can contain either the stored name or the email address.
 */
export function acesOfId(aces: readonly Ace[], id: string): readonly Ace[] {
  const exact = aces.filter((ace) => aceKey(ace) === id);
  return exact.length > 0 ? exact : aces.filter((ace) => aceId(ace) === id);
}

/** Finds the ACEs of a user, a group or a guest. A guest can also be identified by email address. */
export function acesOfName(aces: readonly Ace[], name: string): readonly Ace[] {
  const exact = aces.filter((ace) => ace.username === name);
  const address = name.trim().toLowerCase();
  return exact.length > 0
    ? exact
    : aces.filter(({ username }) => isGuest(username) && shownName(username) === address);
}

type AceStatus = 'pending' | 'effective' | 'archived';

/** §3: returns the status of an ACE at a given time. @param now the time, in the format that ACEs use */
export function aceStatus({ begin, end }: Pick<Ace, 'begin' | 'end'>, now: string): AceStatus {
  if (end !== null && end < now) return 'archived';
  return begin !== null && begin > now ? 'pending' : 'effective';
}

const ownEntries = (acls: readonly NamedAcl[]): Ace[] => acls.flatMap(({ aces }) => aces);

const readPermissions = permissionsGranting('Read');
const versionPermissions = [...permissionsGranting('ReadVersion')].filter(
  (name) => !readPermissions.has(name),
);

/**
 * Converts the ACEs of a version for the version's comments. ReadVersion becomes Read without ReadSecurity, because
 * ReadVersion does not include the permission to see ACLs.
 */
const entriesBelowVersion = (entries: readonly Ace[]): readonly Ace[] =>
  entries.flatMap((ace) => {
    if (!versionPermissions.includes(ace.permission)) return ace;
    const read = { ...ace, permission: 'Read' };
    return ace.granted ? [{ ...ace, permission: 'ReadSecurity', granted: false }, read] : read;
  });

/**
 * Returns the effective ACEs of a document: its own ACEs, followed by the effective ACEs of its parent, up to the first
 * ACE that blocks inheritance.
 * @param above the effective ACEs of the parent.
 * @param isBelowVersion whether the parent is a version and the document contains the version's comments. Users who can
 * read the version because of ReadVersion can also read its comments (§4.7).
 */
export function effectiveEntries(
  acls: readonly NamedAcl[],
  above: readonly Ace[],
  isBelowVersion = false,
): readonly Ace[] {
  const inherited = isBelowVersion ? entriesBelowVersion(above) : above;
  if (acls.length === 0) return inherited;
  const entries = [...ownEntries(acls), ...inherited];
  const end = entries.findIndex(isBlock);
  return end < 0 ? entries : entries.slice(0, end + 1);
}

/**
 * Returns those effective ACEs that a document inherits. @param entries all effective ACEs of the document
 */
export const inheritedEntries = (acls: readonly NamedAcl[], entries: readonly Ace[]): readonly Ace[] =>
  entries.slice(ownEntries(acls).length);

const content = ({ username, permission, granted, creator, begin, end, notify, comment }: Ace) => [
  username,
  permission,
  granted,
  creator,
  begin,
  end,
  notify ?? null,
  comment ?? null,
];

/**
 * Returns the id of an effective ACL. The id is a hash of the content, so that documents with equal ACLs share one row.
 */
export const entriesId = (entries: readonly Ace[]): string => hashId(JSON.stringify(entries.map(content)));
