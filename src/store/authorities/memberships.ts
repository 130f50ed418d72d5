import type { Query } from '../../db/database.ts';
import type { AuthorityKind, AuthorityRow } from '../../loaders/authorities.ts';
import type { Scope } from '../../scope.ts';
import { type Event, type RecordedQuery, recorded, write } from '../audit.ts';
import { moved } from './events.ts';
import { hold, holdNamed } from './hold.ts';
import { awaitNesting, requireNoLoop } from './nesting.ts';
import { requireEditor, requireMayTouch } from './rights.ts';

/** Whose memberships: users in groups, or groups in groups. */
const queriesOf = (
  kind: AuthorityKind,
): Record<'groups' | 'members', Query> & Record<'join' | 'leave', RecordedQuery> => ({
  groups: {
    name: `groups-of-${kind}`,
    text: `SELECT group_id AS id FROM ${kind}_membership WHERE member_id = $1`,
  },
  members: {
    name: `${kind}-members`,
    text: `SELECT member_id AS id FROM ${kind}_membership WHERE group_id = $1`,
  },
  // Lists whatever their length: a statement takes so many parameters and no more.
  join: recorded({
    name: `${kind}s-join`,
    text: `
      INSERT INTO ${kind}_membership (member_id, group_id) SELECT * FROM unnest($1::text[], $2::text[])
      ON CONFLICT DO NOTHING RETURNING member_id`,
  }),
  leave: recorded({
    name: `${kind}s-leave`,
    text: `
      DELETE FROM ${kind}_membership m USING unnest($1::text[], $2::text[]) AS gone (member_id, group_id)
      WHERE m.member_id = gone.member_id AND m.group_id = gone.group_id RETURNING m.member_id`,
  }),
});

const queries = { user: queriesOf('user'), group: queriesOf('group') };

/** One end of memberships that stays while the other one is listed. */
type End = { readonly member: string } | { readonly group: string };

/** Puts the other ends into a membership with this one, or takes them out of it, and records it where it changes some. */
async function change(
  scope: Scope,
  { kind, how, end, others }: { kind: AuthorityKind; how: 'join' | 'leave'; end: End; others: string[] },
  events: readonly Event[] = [],
): Promise<void> {
  if (others.length === 0) return;
  const members = 'member' in end ? others.map(() => end.member) : others;
  const groups = 'group' in end ? others.map(() => end.group) : others;
  await write(scope, queries[kind][how], [members, groups], events);
}

/**
 * Makes the given ids the other ends of all memberships that this one has.
 * @param kind users in groups, or groups in groups.
 * @throws Forbidden, BadReference when one of them is missing; Invalid when a group would come to be in itself.
 */
export async function setMemberships(
  scope: Scope,
  kind: AuthorityKind,
  end: End,
  wanted: readonly string[],
): Promise<void> {
  const { db } = scope;
  const [what, id] = 'member' in end ? (['groups', end.member] as const) : (['members', end.group] as const);
  const rows = await db.query<{ id: string }>(queries[kind][what], [id]);
  const [before, after] = [new Set(rows.map((row) => row.id)), new Set(wanted)];
  const added = [...after].filter((other) => !before.has(other));
  const removed = [...before].filter((other) => !after.has(other));
  const otherKind = 'member' in end ? 'group' : kind;
  const changed = [...added, ...removed];
  await requireMayTouch(scope, otherKind === 'user' ? { users: changed } : { groups: changed });
  await holdNamed(db, otherKind, added);
  if (kind === 'group' && 'group' in end) await requireNoLoop(db, end.group, added);
  await change(scope, { kind, how: 'leave', end, others: removed });
  await change(scope, { kind, how: 'join', end, others: added });
}

/** A user and a group that came together, or that parted. */
export interface Membership {
  readonly user: AuthorityRow;
  readonly group: AuthorityRow;
}

async function meet(
  scope: Scope,
  how: 'join' | 'leave',
  { user, group }: { user: string; group: string },
): Promise<Membership> {
  requireEditor(scope.user);
  const held = {
    user: await hold(scope.db, 'user', user, 'KEY SHARE'),
    group: await hold(scope.db, 'group', group, 'KEY SHARE'),
  };
  await requireMayTouch(scope, { users: [user], groups: [group] });
  const events = [moved('user', how, { member: user, group })];
  await change(scope, { kind: 'user', how, end: { group }, others: [user] }, events);
  await scope.db.announce('principals');
  return held;
}

/** Lets a user join a group; twice is the same as once (§4.3). @throws NotFound, Forbidden */
export const addMember = (scope: Scope, user: string, group: string): Promise<Membership> =>
  meet(scope, 'join', { user, group });

/** Lets a user leave a group, whether or not a member (§4.3). @throws NotFound, Forbidden */
export const removeMember = (scope: Scope, user: string, group: string): Promise<Membership> =>
  meet(scope, 'leave', { user, group });

/**
 * Puts a group into another, or takes it out.
 * @returns the group that has, or had, the member.
 */
async function nest(
  scope: Scope,
  how: 'join' | 'leave',
  { member, group }: { member: string; group: string },
): Promise<AuthorityRow> {
  requireEditor(scope.user);
  await awaitNesting(scope.db);
  const held = await hold(scope.db, 'group', group, 'KEY SHARE');
  await hold(scope.db, 'group', member, 'KEY SHARE');
  await requireMayTouch(scope, { groups: [member, group] });
  if (how === 'join') await requireNoLoop(scope.db, group, [member]);
  const events = [moved('group', how, { member, group })];
  await change(scope, { kind: 'group', how, end: { group }, others: [member] }, events);
  await scope.db.announce('principals');
  return held;
}

/** Puts a group into another (§4.4). @throws NotFound, Forbidden; Invalid when it would come to be in itself. */
export const addMemberGroup = (scope: Scope, member: string, group: string): Promise<AuthorityRow> =>
  nest(scope, 'join', { member, group });

/** Takes a group out of another (§4.4). @throws NotFound, Forbidden */
export const removeMemberGroup = (scope: Scope, member: string, group: string): Promise<AuthorityRow> =>
  nest(scope, 'leave', { member, group });
