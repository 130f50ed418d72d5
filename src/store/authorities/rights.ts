import { statement } from '../../db/statement.ts';
import { Forbidden } from '../../errors.ts';
import type { AuthorityScope } from '../../scope.ts';
import { administrators, type Principal } from '../../security/principal.ts';

/** Its members may edit all users and groups except administrators. */
export const powerUsers = 'powerusers';

/** @throws Forbidden unless the caller is an administrator or a power user (§4.3). */
export function requireEditor({ id, isAdministrator, groups }: Principal): void {
  if (!isAdministrator && !groups.includes(powerUsers)) {
    throw new Forbidden(`${id} is not allowed to edit users and groups`);
  }
}

// Administrators are the built-in one and the members of `inside`; `below` are the groups and those in them.
const query = statement('administrators-among')`
  WITH RECURSIVE inside (id) AS (
    SELECT $1::text
    UNION
    SELECT m.member_id FROM inside JOIN group_membership m ON m.group_id = inside.id
  ), below (id) AS (
    SELECT unnest($3::text[])
    UNION
    SELECT m.member_id FROM below JOIN group_membership m ON m.group_id = below.id
  ), administrator (id) AS (
    SELECT $5::text
    UNION
    SELECT m.member_id FROM inside JOIN user_membership m ON m.group_id = inside.id
  )
  SELECT id FROM inside WHERE id = ANY($4::text[]) OR id IN (SELECT id FROM below)
  UNION ALL
  SELECT id FROM administrator WHERE id = ANY($2::text[]) OR id IN (
    SELECT m.member_id FROM below JOIN user_membership m ON m.group_id = below.id)
  LIMIT 1`;

export interface AffectedAuthorities {
  readonly users?: readonly string[];
  /** Changed as a whole, with what their members have of them. */
  readonly groups?: readonly string[];
  /** Which only `users`, or other groups, join or leave. */
  readonly joined?: readonly string[];
}

/**
 * Only administrators may change administrators and groups with them: power users could otherwise become
 * administrators, or take from them what they have as members.
 * @throws Forbidden
 */
export async function requireMayChange(
  scope: AuthorityScope,
  { users = [], groups = [], joined = [] }: AffectedAuthorities,
): Promise<void> {
  requireEditor(scope.user);
  if (scope.user.isAdministrator) return;
  const given = [administrators, users, groups, joined, scope.adminUsername];
  const [first] = await scope.db.query<{ id: string }>(query, given);
  if (first)
    throw new Forbidden(`${first.id}: only administrators may change administrators and groups with them`);
}
