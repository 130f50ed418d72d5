import { hashId } from '../model/hash-id.ts';
import { permissionsGranting } from './permissions.ts';

/** §2.5: one entry of an ACL. Times are UTC in whole seconds, written as `2024-03-01T10:15:30.000Z`. */
export interface Ace {
  readonly username: string;
  readonly permission: string;
  readonly granted: boolean;
  readonly creator: string | null;
  readonly begin: string | null;
  readonly end: string | null;
  /** Whether the user is notified once it becomes effective, and with which text. */
  readonly notify?: boolean | undefined;
  readonly comment?: string | undefined;
}

export interface NamedAcl {
  readonly name: string;
  readonly aces: readonly Ace[];
}

export const everyone = 'Everyone';

/** The ACL that users change. ACLs of other names belong to tasks and come before it. */
export const localAclName = 'local';

/** The name under which answers list the ACEs of the ancestors: no document has an own ACL of this name. */
export const inheritedAclName = 'inherited';

/** The usernames of guests, who were invited by e-mail, begin with this. */
export const guestPrefix = 'transient/';

export const isGuest = (name: string): boolean => name.startsWith(guestPrefix);

/** The name of the holder of an ACE as answers show it: of a guest the e-mail address. */
export const shownName = (name: string): string =>
  isGuest(name) ? (name.slice(guestPrefix.length).split('/')[0] ?? name) : name;

/** §2.5: no ACE after it applies, including those of the ancestors. */
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

/** Tells an ACE from the others of its ACL. A user and a guest may have the same e-mail address as their shown name. */
export const aceKey = ({ username, permission, granted, creator, begin, end }: Ace): string =>
  [username, permission, granted, creator ?? '', milliseconds(begin), milliseconds(end)].join(':');

/** §2.5: the id by which clients address an ACE, which names a guest by the e-mail address. */
export const aceId = (ace: Ace): string => aceKey({ ...ace, username: shownName(ace.username) });

/** The ACEs that an id addresses: it may also hold the stored name of a guest. */
export function acesOfId(aces: readonly Ace[], id: string): readonly Ace[] {
  const exact = aces.filter((ace) => aceKey(ace) === id);
  return exact.length > 0 ? exact : aces.filter((ace) => aceId(ace) === id);
}

/** The ACEs of a user, a group or a guest, who may be named by the e-mail address. */
export function acesOfName(aces: readonly Ace[], name: string): readonly Ace[] {
  const exact = aces.filter((ace) => ace.username === name);
  const address = name.trim().toLowerCase();
  return exact.length > 0
    ? exact
    : aces.filter(({ username }) => isGuest(username) && shownName(username) === address);
}

type AceStatus = 'pending' | 'effective' | 'archived';

/** §3: the status depends on the time. @param now in the format of the times of ACEs. */
export function aceStatus({ begin, end }: Pick<Ace, 'begin' | 'end'>, now: string): AceStatus {
  if (end !== null && end < now) return 'archived';
  return begin !== null && begin > now ? 'pending' : 'effective';
}

const ownEntries = (acls: readonly NamedAcl[]): Ace[] => acls.flatMap(({ aces }) => aces);

const readPermissions = permissionsGranting('Read');
const versionPermissions = [...permissionsGranting('ReadVersion')].filter(
  (name) => !readPermissions.has(name),
);

/** Read contains ReadSecurity, ReadVersion does not. */
const entriesBelowVersion = (entries: readonly Ace[]): readonly Ace[] =>
  entries.flatMap((ace) => {
    if (!versionPermissions.includes(ace.permission)) return ace;
    const read = { ...ace, permission: 'Read' };
    return ace.granted ? [{ ...ace, permission: 'ReadSecurity', granted: false }, read] : read;
  });

/**
 * @param above the effective ACEs of the parent.
 * @param isBelowVersion of comments on a version, which may be read where it may: by ReadVersion (§4.7).
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

/** @param entries the effective ACEs of the document. */
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

/** The id of an effective ACL is a hash of its content: documents with equal ones share a row. */
export const entriesId = (entries: readonly Ace[]): string => hashId(JSON.stringify(entries.map(content)));
