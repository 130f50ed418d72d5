import { hashId } from '../hash-id.ts';

/** §2.5: one entry of an ACL. Times are UTC in whole seconds, written as `2024-03-01T10:15:30.000Z`. */
export interface Ace {
  /** A user, a group, or `everyone`. */
  readonly username: string;
  readonly permission: string;
  readonly granted: boolean;
  /** Who made it; null when the server did. */
  readonly creator: string | null;
  readonly begin: string | null;
  readonly end: string | null;
  /** Whether the user is told once it becomes effective, and with which words. */
  readonly notify?: boolean | undefined;
  readonly comment?: string | undefined;
}

/** ACEs under a name; a document has any number of them. */
export interface Acl {
  readonly name: string;
  readonly aces: readonly Ace[];
}

/** Stands for all users. */
export const everyone = 'Everyone';

/** The ACL that users change; those of other names belong to tasks and stand before it. */
export const local = 'local';

/** The name under which the ACEs of the ancestors are shown: no document has one of its own. */
export const inherited = 'inherited';

/** What the names of guests begin with, who were invited by e-mail. */
export const guests = 'transient/';

/** Nothing behind it counts, that of the ancestors included (§2.5). */
export const block: Ace = {
  ...{ username: everyone, permission: 'Everything', granted: false },
  ...{ creator: null, begin: null, end: null },
};

/** Whether an ACE denies everything to everyone for good. */
export const isBlock = ({ username, permission, granted, begin, end }: Ace): boolean =>
  !granted && username === everyone && permission === 'Everything' && begin === null && end === null;

const milliseconds = (time: string | null): string => (time === null ? '' : String(Date.parse(time)));

/** §2.5: what clients address an ACE by. */
export const aceId = ({ username, permission, granted, creator, begin, end }: Ace): string =>
  [username, permission, granted, creator ?? '', milliseconds(begin), milliseconds(end)].join(':');

export type AceStatus = 'pending' | 'effective' | 'archived';

/** §3: the status follows from the clock. @param now written as the times of ACEs are. */
export function aceStatus({ begin, end }: Pick<Ace, 'begin' | 'end'>, now: string): AceStatus {
  if (end !== null && end < now) return 'archived';
  return begin !== null && begin > now ? 'pending' : 'effective';
}

/** The ACEs that a document has itself, in the order in which they count. */
const ownEntries = (acls: readonly Acl[]): Ace[] => acls.flatMap(({ aces }) => aces);

/** All ACEs that count on a document, first things first. @param above those that count on its parent. */
export function effectiveEntries(acls: readonly Acl[], above: readonly Ace[]): readonly Ace[] {
  if (acls.length === 0) return above;
  const entries = [...ownEntries(acls), ...above];
  const end = entries.findIndex(isBlock);
  return end < 0 ? entries : entries.slice(0, end + 1);
}

/** The ACEs that a document has from its ancestors. @param entries all that count on it. */
export const inheritedEntries = (acls: readonly Acl[], entries: readonly Ace[]): readonly Ace[] =>
  entries.slice(ownEntries(acls).length);

const content = ({ username, permission, granted, creator, begin, end, notify, comment }: Ace) => [
  ...[username, permission, granted, creator, begin, end],
  ...[notify ?? null, comment ?? null],
];

/** Names effective ACEs by their content. */
export const entriesId = (entries: readonly Ace[]): string => hashId(JSON.stringify(entries.map(content)));
