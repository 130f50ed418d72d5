import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import type { AuthorityKind, AuthorityRow } from '../../loaders/authorities/authorities.ts';
import type { AuthorityScope } from '../../scope.ts';
import { type AuditEvent, type AuditedStatement, withAudit, writeAudited } from '../audit/audit.ts';
import { lockNesting } from '../row-locks/advisory-locks.ts';
import { lockAuthority, lockReferencedAuthorities } from '../row-locks/lock-authorities.ts';
import { membershipEvent } from './events.ts';
import { requireOwnMemberships } from './managed-properties.ts';
import { requireEditor, requireMayChange } from './rights.ts';

// Selects those of the groups $2 that contain the group $1, directly or indirectly, or are the group $1 itself.
const above = statement('groups-above', { id: 'text' })`
  WITH RECURSIVE above (id) AS (
    SELECT $1::text
    UNION
    SELECT m.group_id FROM above JOIN group_membership m ON m.member_id = above.id
  )
  SELECT id FROM above WHERE id = ANY($2::text[])`;

/**
 * Checks that none of the new members contains the group. The caller must have taken the lock on nesting
 * (`lockNesting`).
 * @throws Invalid
 */
async function requireNoLoop(db: Client, group: string, members: readonly string[]): Promise<void> {
  if (members.length === 0) return;
  const around = await db.query(above, [group, members]);
  if (around.length === 0) return;
  const names = around.map(({ id }) => id).join(', ');
  throw new Invalid(`The group ${group} cannot have members that contain it: ${names}.`);
}

const queriesOf = (kind: AuthorityKind): Record<'join' | 'leave', AuditedStatement> => ({
  // The values are passed as arrays, because a statement can have at most 65,535 parameters.
  join: withAudit(statement(`${kind}s-join`)`
    INSERT INTO ${kind}_membership (member_id, group_id) SELECT * FROM unnest($1::text[], $2::text[])
    ON CONFLICT DO NOTHING RETURNING member_id`),
  leave: withAudit(statement(`${kind}s-leave`)`
    DELETE FROM ${kind}_membership m USING unnest($1::text[], $2::text[]) AS gone (member_id, group_id)
    WHERE m.member_id = gone.member_id AND m.group_id = gone.group_id RETURNING m.member_id`),
});

const queries = { user: queriesOf('user'), group: queriesOf('group') };

/** Returns the ids of a member's groups, or of a group's members. */
async function othersOf({ prisma }: Client, kind: AuthorityKind, end: End): Promise<string[]> {
  const where = 'member' in end ? { memberId: end.member } : { groupId: end.group };
  const rows = await (kind === 'user'
    ? prisma.userMembership.findMany({ where })
    : prisma.groupMembership.findMany({ where }));
  return rows.map(({ memberId, groupId }) => ('member' in end ? groupId : memberId));
}

/** One end of a membership. */
type End = { readonly member: string } | { readonly group: string };

async function change(
  scope: AuthorityScope,
  { kind, how, end, others }: { kind: AuthorityKind; how: 'join' | 'leave'; end: End; others: string[] },
  events: readonly AuditEvent[] = [],
): Promise<void> {
  if (others.length === 0) return;
  const members = 'member' in end ? others.map(() => end.member) : others;
  const groups = 'group' in end ? others.map(() => end.group) : others;
  await writeAudited(scope, queries[kind][how], [members, groups], events);
}

/**
 * Replaces all memberships of a member or of a group.
 * @throws Forbidden; BadReference for an id that does not exist; Invalid if a group would contain itself
 */
export async function setMemberships(
  scope: AuthorityScope,
  kind: AuthorityKind,
  end: End,
  others: readonly string[],
): Promise<void> {
  const { db } = scope;
  const [before, after] = [new Set(await othersOf(db, kind, end)), new Set(others)];
  const added = [...after].filter((other) => !before.has(other));
  const removed = [...before].filter((other) => !after.has(other));
  const otherKind = 'member' in end ? 'group' : kind;
  const changed = [...added, ...removed];
  await requireMayChange(scope, otherKind === 'user' ? { users: changed } : { groups: changed });
  if (kind === 'user') {
    const ends =
      'member' in end ? { users: [end.member], groups: changed } : { users: changed, groups: [end.group] };
    await requireOwnMemberships(scope, ends);
  }
  await lockReferencedAuthorities(db, otherKind, added);
  if (kind === 'group' && 'group' in end) await requireNoLoop(db, end.group, added);
  await change(scope, { kind, how: 'leave', end, others: removed });
  await change(scope, { kind, how: 'join', end, others: added });
}

/** A user, and a group that the user is a member of. */
export interface Membership {
  readonly user: AuthorityRow;
  readonly group: AuthorityRow;
}

/** Adds a user to a group or removes the user from it. */
async function changeMembership(
  scope: AuthorityScope,
  how: 'join' | 'leave',
  { user, group }: { user: string; group: string },
): Promise<Membership> {
  requireEditor(scope.user);
  const ends = {
    user: await lockAuthority(scope.db, 'user', user, 'KEY SHARE'),
    group: await lockAuthority(scope.db, 'group', group, 'KEY SHARE'),
  };
  await requireMayChange(scope, { users: [user], groups: [group] });
  await requireOwnMemberships(scope, { users: [user], groups: [group] });
  const events = [membershipEvent('user', how, { member: user, group })];
  await change(scope, { kind: 'user', how, end: { group }, others: [user] }, events);
  await scope.db.announce('principals');
  return ends;
}

/**
 * Adds a user to a group; does nothing if the user is already a member (§4.3).
 * @throws NotFound, Forbidden
 */
export const addMember = (scope: AuthorityScope, user: string, group: string): Promise<Membership> =>
  changeMembership(scope, 'join', { user, group });

/**
 * Removes a user from a group; does nothing if the user is not a member (§4.3).
 * @throws NotFound, Forbidden
 */
export const removeMember = (scope: AuthorityScope, user: string, group: string): Promise<Membership> =>
  changeMembership(scope, 'leave', { user, group });

/** Adds a group to another group as a member, or removes it from that group. */
async function changeNesting(
  scope: AuthorityScope,
  how: 'join' | 'leave',
  { member, group }: { member: string; group: string },
): Promise<AuthorityRow> {
  requireEditor(scope.user);
  await lockNesting(scope.db);
  const locked = await lockAuthority(scope.db, 'group', group, 'KEY SHARE');
  await lockAuthority(scope.db, 'group', member, 'KEY SHARE');
  await requireMayChange(scope, { groups: [member, group] });
  if (how === 'join') await requireNoLoop(scope.db, group, [member]);
  const events = [membershipEvent('group', how, { member, group })];
  await change(scope, { kind: 'group', how, end: { group }, others: [member] }, events);
  await scope.db.announce('principals');
  return locked;
}

/**
 * Adds a group to another group as a member (§4.4).
 * @throws NotFound, Forbidden; Invalid if a group would contain itself
 */
export const addMemberGroup = (scope: AuthorityScope, member: string, group: string): Promise<AuthorityRow> =>
  changeNesting(scope, 'join', { member, group });

/**
 * Removes a group from another group of which it is a member (§4.4).
 * @throws NotFound, Forbidden
 */
export const removeMemberGroup = (
  scope: AuthorityScope,
  member: string,
  group: string,
): Promise<AuthorityRow> => changeNesting(scope, 'leave', { member, group });
