import type { Query } from '../../db/database.ts';
import { Forbidden } from '../../errors.ts';
import { administrators, type Principal, type Scope } from '../../scope.ts';

/** The group whose members may edit everybody but administrators. */
export const powerUsers = 'powerusers';

/** @throws Forbidden for those who may edit neither users nor groups (§4.3). */
export function requireEditor({ id, isAdministrator, groups }: Principal): void {
  if (!isAdministrator && !groups.includes(powerUsers)) {
    throw new Forbidden(`${id} is not allowed to edit users and groups`);
  }
}

/** Of some users and groups those that are administrators, or groups of them. */
const query: Query = {
  name: 'administrators-among',
  text: `
    WITH RECURSIVE inside (id) AS (
      SELECT $1::text
      UNION
      SELECT m.member_id FROM inside JOIN group_membership m ON m.group_id = inside.id
    )
    SELECT id FROM inside WHERE id = ANY($3::text[])
    UNION ALL
    SELECT member_id FROM user_membership JOIN inside ON group_id = inside.id WHERE member_id = ANY($2::text[])`,
};

/** The users and groups that a change is about. */
export interface Touched {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
}

/**
 * Administrators are changed by administrators alone: otherwise whoever may edit could become one.
 * @throws Forbidden when a power user's change is about an administrator, or about a group whose members are some.
 */
export async function requireMayTouch(scope: Scope, { users = [], groups = [] }: Touched): Promise<void> {
  requireEditor(scope.user);
  if (scope.user.isAdministrator) return;
  const found = await scope.db.query<{ id: string }>(query, [administrators, users, groups]);
  const [first] = users.includes(scope.chief) ? [{ id: scope.chief }] : found;
  if (first) throw new Forbidden(`${first.id}: only administrators may change administrators`);
}
