import { statement } from '../../db/statement.ts';
import { Forbidden } from '../../errors.ts';
import type { AuthorityScope } from '../../scope.ts';
import { administrators, type Principal, powerUsers } from '../../security/principal.ts';

/**
 * Checks that the caller is an administrator or a power user (§4.3).
 * @throws Forbidden
 */
export function requireEditor({ id, isAdministrator, groups }: Principal): void {
  if (!isAdministrator && !groups.includes(powerUsers)) {
    throw new Forbidden(`Only administrators and power users can edit users and groups; ${id} is neither.`);
  }
}

// Selects those of the users $2 who are administrators, and those of the groups $3 that are the group $1 or contained
// in it.
const query = statement('administrators-among', { id: 'text' })`
  WITH RECURSIVE inside (id) AS (
    SELECT $1::text
    UNION
    SELECT m.member_id FROM inside JOIN group_membership m ON m.group_id = inside.id
  )
  SELECT id FROM inside WHERE id = ANY($3::text[])
  UNION ALL
  SELECT member_id FROM user_membership JOIN inside ON group_id = inside.id WHERE member_id = ANY($2::text[])`;

/** The users and groups that a change affects. */
interface AffectedAuthorities {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
}

/**
 * Checks that the caller can change the users and groups. Only administrators can change administrators and their
 * groups; otherwise, power users could make themselves administrators. The caller must have passed `requireEditor`.
 * @throws Forbidden
 */
export async function requireMayChange(
  scope: AuthorityScope,
  { users = [], groups = [] }: AffectedAuthorities,
): Promise<void> {
  if (scope.user.isAdministrator) return;
  const found = await scope.db.query(query, [administrators, users, groups]);
  const [first] = users.includes(scope.services.config.ADMIN_USERNAME)
    ? [{ id: scope.services.config.ADMIN_USERNAME }]
    : found;
  if (first) throw new Forbidden(`Only administrators can change administrators; ${first.id} is one.`);
}
