import type { Client, Query } from '../db/database.ts';
import type { User } from '../generated/prisma/client.ts';

/** What logging in needs to know of a user. */
export interface Account extends Pick<User, 'id' | 'passwordHash'> {
  /** Of all groups that the user is in, directly or through other groups. */
  readonly groups: readonly string[];
}

const query: Query = {
  name: 'account',
  text: `
    WITH RECURSIVE above (id) AS (
      SELECT group_id FROM user_membership WHERE member_id = $1
      UNION
      SELECT m.group_id FROM above JOIN group_membership m ON m.member_id = above.id
    )
    SELECT u.id, u.password_hash AS "passwordHash", ARRAY(SELECT id FROM above ORDER BY id) AS groups
    FROM "user" u WHERE u.id = $1`,
};

/** A user with all groups, in one statement; null when there is none of that name. */
export async function accountOf(db: Pick<Client, 'query'>, id: string): Promise<Account | null> {
  if (id.includes('\0')) return null; // PostgreSQL has no text with NUL
  const [account] = await db.query<Account>(query, [id]);
  return account ?? null;
}
