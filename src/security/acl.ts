import { hashId } from '../model/hash-id.ts';
import { permissionsGranting } from './permissions.ts';

/** §2.5: an access control entry (ACE). Times are in UTC and whole seconds, such as `2024-03-01T10:15:30.000Z`. */
export interface Ace {
  readonly username: string;
  readonly permission: string;
  readonly granted: boolean;
  readonly creator: string | null;
  readonly begin: string | null;
  readonly end: string | null;
  /** Whether the user is notified by mail when the ACE becomes effective. */
  readonly notify?: boolean | undefined;
  /** The text in that mail. */
  readonly comment?: string | undefined;
}

export interface NamedAcl {
  readonly name: string;
  readonly aces: readonly Ace[];
}

export const everyone = 'Everyone';

/** The name of the ACL that users change. ACLs with other names belong to tasks and precede it. */
export const localAclName = 'local';

/** The name under which answers list the ACEs of the ancestors. No document has an ACL of this name itself. */
export const inheritedAclName = 'inherited';

/** The prefix of the names of guests, who are invited by e-mail and have no account. */
export const guestPrefix = 'transient/';

export const isGuest = (name: string): boolean => name.startsWith(guestPrefix);

/** The name of a user or group as answers show it. A guest is shown by the e-mail address. */
export const shownName = (name: string): string =>
  isGuest(name) ? (name.slice(guestPrefix.length).split('/')[0] ?? name) : name;

/** §2.5: the ACE that blocks inheritance. No ACE after it applies, including those of the ancestors. */
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
 * The key that distinguishes an ACE within its ACL. It contains the stored name, since a user can have the shown name
 * of a guest.
 */
export const aceKey = ({ username, permission, granted, creator, begin, end }: Ace): string =>
  [username, permission, granted, creator ?? '', milliseconds(begin), milliseconds(end)].join(':');

/**
 * §2.5: the id by which clients address an ACE. It contains the e-mail address of a guest instead of the stored name.
 */
export const aceId = (ace: Ace): string => aceKey({ ...ace, username: shownName(ace.username) });

/** The ACEs that an id addresses. The id can contain the stored name of a guest or the e-mail address. */
export function acesOfId(aces: readonly Ace[], id: string): readonly Ace[] {
  const exact = aces.filter((ace) => aceKey(ace) === id);
  return exact.length > 0 ? exact : aces.filter((ace) => aceId(ace) === id);
}

/** The ACEs of a user, a group or a guest. A guest can be named by the e-mail address. */
export function acesOfName(aces: readonly Ace[], name: string): readonly Ace[] {
  const exact = aces.filter((ace) => ace.username === name);
  const address = name.trim().toLowerCase();
  return exact.length > 0
    ? exact
    : aces.filter(({ username }) => isGuest(username) && shownName(username) === address);
}

type AceStatus = 'pending' | 'effective' | 'archived';

/** §3: the status of an ACE at a time. @param now the time, in the format of the times of ACEs. */
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
 * Converts the ACEs of a version for its comments: ReadVersion becomes Read without ReadSecurity, which it does not
 * contain.
 */
const entriesBelowVersion = (entries: readonly Ace[]): readonly Ace[] =>
  entries.flatMap((ace) => {
    if (!versionPermissions.includes(ace.permission)) return ace;
    const read = { ...ace, permission: 'Read' };
    return ace.granted ? [{ ...ace, permission: 'ReadSecurity', granted: false }, read] : read;
  });

/**
 * The effective ACEs of a document: its own ones, followed by those of its parent, up to the first one that blocks
 * inheritance.
 * @param above the effective ACEs of the parent.
 * @param isBelowVersion whether the parent is a version and the document holds its comments. Who can read the version, by
 *   ReadVersion, can read its comments (§4.7).
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

/** The effective ACEs that a document inherits. @param entries all its effective ACEs. */
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

/** The id of an effective ACL. It is a hash of the content, so that documents with equal ACLs share one row. */
export const entriesId = (entries: readonly Ace[]): string => hashId(JSON.stringify(entries.map(content)));
